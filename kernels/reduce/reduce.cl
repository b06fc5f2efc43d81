// Sum of n floats: every thread adds a strided share, then the block halves its partial sums in
// shared memory until one is left. Launched twice: many blocks to partial sums, one block to the
// total. Fewer and fewer threads stay active, with a barrier at each halving.

__kernel void reduce(__global const float *x, __global float *partial, __local float *scratch,
                     int n) {
    int t = local_x();
    float sum = 0.0f;
    for (int i = global_x(); i < n; i += blocks_x() * threads_x())
        sum += x[i];
    scratch[t] = sum;
    sync_block();
    // `live` counts the sums left; it need not be a power of two.
    for (int live = threads_x(); live > 1;) {
        int stride = (live + 1) / 2;
        if (t + stride < live)
            scratch[t] += scratch[t + stride];
        live = stride;
        sync_block();
    }
    if (t == 0)
        partial[block_x()] = scratch[0];
}

// The check: each thread adds `chunk` neighbours one after the other in double precision.
__kernel void reduce_check_chunks(__global const float *x, __global double *sums, int n, int chunk) {
    int first = global_x() * chunk;
    double sum = 0.0;
    for (int i = first; i < min(first + chunk, n); i++)
        sum += x[i];
    if (first < n)
        sums[global_x()] = sum;
}

// One thread adds what the chunks left.
__kernel void reduce_check_total(__global const double *sums, __global float *total, int chunks) {
    if (global_x() != 0)
        return;
    double sum = 0.0;
    for (int i = 0; i < chunks; i++)
        sum += sums[i];
    total[0] = (float)sum;
}
