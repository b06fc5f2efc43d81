// Lattice Boltzmann fluid on a plane (nine velocities): a cell relaxes its nine populations towards
// equilibrium and pushes each to the neighbour it flies to; solid cells send them back. Nine loads
// and nine shifted stores a cell for little arithmetic: bound by stores. Edges wrap around.

// Velocity q and its opposite; weights of the equilibrium.
__constant int velocity_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant int velocity_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

static float equilibrium(float weight, float density, float along, float speed2) {
    return weight * density * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * speed2);
}

static int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

// populations[q * cells + cell]
__kernel void lbm(__global const float *from, __global float *to, __global const uchar *fluid,
                  int width, int height, float relax) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    int cells = width * height, cell = y * width + x;
    int east = wrap(x + 1, width), west = wrap(x - 1, width);
    int north = wrap(y + 1, height) * width, south = wrap(y - 1, height) * width, here = y * width;
    float f0 = from[cell], f1 = from[cells + cell], f2 = from[2 * cells + cell];
    float f3 = from[3 * cells + cell], f4 = from[4 * cells + cell], f5 = from[5 * cells + cell];
    float f6 = from[6 * cells + cell], f7 = from[7 * cells + cell], f8 = from[8 * cells + cell];
    if (!fluid[cell]) {
        float t1 = f1, t2 = f2, t5 = f5, t6 = f6;
        f1 = f3, f3 = t1;
        f2 = f4, f4 = t2;
        f5 = f7, f7 = t5;
        f6 = f8, f8 = t6;
    } else {
        float density = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
        float u = (f1 - f3 + f5 - f6 - f7 + f8) / density;
        float v = (f2 - f4 + f5 + f6 - f7 - f8) / density;
        float speed2 = u * u + v * v;
        f0 += relax * (equilibrium(4.0f / 9, density, 0.0f, speed2) - f0);
        f1 += relax * (equilibrium(1.0f / 9, density, u, speed2) - f1);
        f2 += relax * (equilibrium(1.0f / 9, density, v, speed2) - f2);
        f3 += relax * (equilibrium(1.0f / 9, density, -u, speed2) - f3);
        f4 += relax * (equilibrium(1.0f / 9, density, -v, speed2) - f4);
        f5 += relax * (equilibrium(1.0f / 36, density, u + v, speed2) - f5);
        f6 += relax * (equilibrium(1.0f / 36, density, v - u, speed2) - f6);
        f7 += relax * (equilibrium(1.0f / 36, density, -u - v, speed2) - f7);
        f8 += relax * (equilibrium(1.0f / 36, density, u - v, speed2) - f8);
    }
    to[here + x] = f0;
    to[cells + here + east] = f1;
    to[2 * cells + north + x] = f2;
    to[3 * cells + here + west] = f3;
    to[4 * cells + south + x] = f4;
    to[5 * cells + north + east] = f5;
    to[6 * cells + north + west] = f6;
    to[7 * cells + south + west] = f7;
    to[8 * cells + south + east] = f8;
}

// The check: one thread a population pulls it from the cell it comes from and works out that cell's
// collision itself, with tables in place of the unrolled code.
__kernel void lbm_check(__global const float *from, __global float *to,
                        __global const uchar *fluid, int width, int height, float relax) {
    int i = global_x(), cells = width * height;
    if (i >= 9 * cells)
        return;
    int q = i / cells, cell = i % cells;
    int x = wrap(cell % width - velocity_x[q], width);
    int y = wrap(cell / width - velocity_y[q], height);
    int source = y * width + x;
    if (!fluid[source]) {
        to[i] = from[opposite[q] * cells + source];
        return;
    }
    float density = 0.0f, u = 0.0f, v = 0.0f;
    for (int p = 0; p < 9; p++) {
        float f = from[p * cells + source];
        density += f;
        u += velocity_x[p] * f;
        v += velocity_y[p] * f;
    }
    u /= density;
    v /= density;
    float weight = q == 0 ? 4.0f / 9 : q < 5 ? 1.0f / 9 : 1.0f / 36;
    float along = velocity_x[q] * u + velocity_y[q] * v;
    float f = from[q * cells + source];
    to[i] = f + relax * (equilibrium(weight, density, along, u * u + v * v) - f);
}
