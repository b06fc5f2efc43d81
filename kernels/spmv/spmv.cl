// Sparse matrix (compressed rows) times vector, one thread a row: rows of different length leave
// lanes idle, and neighbouring lanes read values far apart. Memory-bound and divergent.

// Row i starts near i * average, off by a random amount below the average: rows hold 1 to
// 2 * average - 1 entries.
__kernel void spmv_setup(__global const uint *jitter, __global int *row_start, int rows,
                         int average) {
    int row = global_x();
    if (row > rows)
        return;
    int whole = row > 0 && row < rows;
    row_start[row] = row * average + (whole ? (int)(jitter[row] % (uint)average) : 0);
}

__kernel void spmv(__global const int *row_start, __global const int *column,
                   __global const float *value, __global const float *x, __global float *y,
                   int rows) {
    int row = global_x();
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = row_start[row]; i < row_start[row + 1]; i++)
        sum += value[i] * x[column[i]];
    y[row] = sum;
}

// The check adds from the row's end, in double precision.
__kernel void spmv_check(__global const int *row_start, __global const int *column,
                         __global const float *value, __global const float *x, __global float *y,
                         int rows) {
    int row = global_x();
    if (row >= rows)
        return;
    double sum = 0.0;
    for (int i = row_start[row + 1] - 1; i >= row_start[row]; i--)
        sum += (double)value[i] * x[column[i]];
    y[row] = (float)sum;
}
