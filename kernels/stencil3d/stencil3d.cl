// Seven-point stencil in three dimensions: a thread walks up one column of cells and keeps the
// cells below, here and above in registers, so each step loads one new cell of its own column and
// its four neighbours. Memory-bound with reuse in the caches. Border cells are copied.

__kernel void stencil3d(__global const float *in, __global float *out, int nx, int ny, int nz,
                        float centre, float side) {
    int x = global_x(), y = global_y();
    if (x >= nx || y >= ny)
        return;
    int plane = nx * ny, i = y * nx + x;
    int inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    float below = 0.0f, here = in[i];
    for (int z = 0; z < nz; z++, i += plane) {
        float above = z + 1 < nz ? in[i + plane] : 0.0f;
        float value = here;
        if (inside && z > 0 && z < nz - 1)
            value = centre * here +
                    side * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
        out[i] = value;
        below = here;
        here = above;
    }
}

// The check: one thread a cell, all seven loads.
__kernel void stencil3d_check(__global const float *in, __global float *out, int nx, int ny, int nz,
                              float centre, float side) {
    int i = global_x(), plane = nx * ny;
    if (i >= plane * nz)
        return;
    int x = i % nx, y = i / nx % ny, z = i / plane;
    float value = in[i];
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        value = centre * value + side * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] +
                                         in[i - plane] + in[i + plane]);
    out[i] = value;
}
