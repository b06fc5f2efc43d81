// Heat on a chip: each cell moves towards its four neighbours and the ambient temperature and is
// warmed by its own power. One launch is one time step; a block stages its tile with a one-cell
// border in shared memory. The chip's edge is a mirror.

#define TILE 16

static int mirror(int i, int n) { return clamp(i, 0, n - 1); }

static float next_temperature(float centre, float left, float right, float up, float down,
                              float power) {
    float flow = left + right + up + down - 4.0f * centre;
    return centre + 0.15f * flow + 0.05f * (80.0f - centre) + 0.4f * power;
}

__kernel void hotspot(__global const float *temperature, __global const float *power,
                      __global float *next, int width, int height) {
    __local float tile[TILE + 2][TILE + 2];
    int left = block_x() * TILE - 1, top = block_y() * TILE - 1;
    // 18 x 18 cells for 16 x 16 threads: some threads load twice.
    for (int i = local_y() * TILE + local_x(); i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        int y = i / (TILE + 2), x = i % (TILE + 2);
        tile[y][x] = temperature[mirror(top + y, height) * width + mirror(left + x, width)];
    }
    sync_block();
    int x = local_x() + 1, y = local_y() + 1;
    int column = left + x, row = top + y;
    if (column < width && row < height)
        next[row * width + column] =
            next_temperature(tile[y][x], tile[y][x - 1], tile[y][x + 1], tile[y - 1][x],
                             tile[y + 1][x], power[row * width + column]);
}

// The check does the same step from global memory, no tile and no barrier.
__kernel void hotspot_check(__global const float *temperature, __global const float *power,
                            __global float *next, int width, int height) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    next[y * width + x] =
        next_temperature(temperature[y * width + x], temperature[y * width + mirror(x - 1, width)],
                         temperature[y * width + mirror(x + 1, width)],
                         temperature[mirror(y - 1, height) * width + x],
                         temperature[mirror(y + 1, height) * width + x], power[y * width + x]);
}
