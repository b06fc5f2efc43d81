// C = A * B in tiles: a block keeps a TILE x TILE piece of A and of B in shared memory and every
// thread owns one element of C, so each element of A and B is read from memory once a tile. Two
// shared loads and one fused multiply-add dominate: compute-bound, fully active warps.

#define TILE 16

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int rows,
                     int columns, int inner) {
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    int x = local_x(), y = local_y();
    int column = block_x() * TILE + x, row = block_y() * TILE + y;
    float sum = 0.0f;
    for (int k = 0; k < inner; k += TILE) {
        tile_a[y][x] = row < rows && k + x < inner ? a[row * inner + k + x] : 0.0f;
        tile_b[y][x] = column < columns && k + y < inner ? b[(k + y) * columns + column] : 0.0f;
        sync_block();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum = fma(tile_a[y][i], tile_b[i][x], sum);
        sync_block();
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
}

// The check: one thread an element, straight from global memory.
__kernel void matmul_check(__global const float *a, __global const float *b, __global float *c,
                           int rows, int columns, int inner) {
    int column = global_x(), row = global_y();
    if (row >= rows || column >= columns)
        return;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++)
        sum = fma(a[row * inner + k], b[k * columns + column], sum);
    c[row * columns + column] = sum;
}
