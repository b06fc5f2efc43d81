// Histogram: a block counts its share in shared memory with atomics, then adds its counts to the
// global ones. Lanes of a warp that hit the same bin wait for each other. Integer only.

#define BINS 256

__kernel void histogram(__global const uint *data, __global uint *bins, int n) {
    __local uint counts[BINS];
    for (int bin = local_x(); bin < BINS; bin += threads_x())
        counts[bin] = 0u;
    sync_block();
    for (int i = global_x(); i < n; i += blocks_x() * threads_x())
        atomic_inc(&counts[data[i] % BINS]);
    sync_block();
    for (int bin = local_x(); bin < BINS; bin += threads_x())
        if (counts[bin] != 0u)
            atomic_add(&bins[bin], counts[bin]);
}

// The check counts in global memory alone, one thread an element.
__kernel void histogram_check(__global const uint *data, __global uint *bins, int n) {
    int i = global_x();
    if (i < n)
        atomic_inc(&bins[data[i] & (BINS - 1)]);
}
