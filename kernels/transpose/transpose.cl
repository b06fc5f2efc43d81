// Matrix transpose through a shared-memory tile, so that both the read and the write go along rows
// in memory. The tile has one spare column: without it the column read would hit one bank.

#define TILE 16

__kernel void transpose(__global const uint *in, __global uint *out, int width, int height) {
    __local uint tile[TILE][TILE + 1];
    int x = block_x() * TILE + local_x(), y = block_y() * TILE + local_y();
    if (x < width && y < height)
        tile[local_y()][local_x()] = in[y * width + x];
    sync_block();
    x = block_y() * TILE + local_x();
    y = block_x() * TILE + local_y();
    if (x < height && y < width)
        out[y * height + x] = tile[local_x()][local_y()];
}

// The check moves each element directly; its stores are scattered, one line a thread.
__kernel void transpose_check(__global const uint *in, __global uint *out, int width, int height) {
    int x = global_x(), y = global_y();
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}
