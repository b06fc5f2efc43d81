// Bitonic sort of any number of unsigned integers. A merge of two sorted runs begins with a
// mirrored comparison and goes on with halving distances; all comparisons point upwards, so the
// missing elements past the end behave like infinities and are simply skipped. Runs up to SEGMENT
// are sorted and merged in shared memory, longer distances one launch a step. Integer only; the
// exchange is a branch that half the lanes take.

#define SEGMENT 512

static void order(__local uint *a, __local uint *b) {
    uint low = *a, high = *b;
    if (low > high) {
        *a = high;
        *b = low;
    }
}

// Thread t of half as many threads as elements: its pair of the mirrored comparison in runs of
// `run`, then of the comparison at `distance`.
static int2 mirrored_pair(int t, int run) {
    int base = t / (run / 2) * run, i = t % (run / 2);
    return (int2)(base + i, base + run - 1 - i);
}

static int2 distant_pair(int t, int distance) {
    int low = t / distance * (2 * distance) + t % distance;
    return (int2)(low, low + distance);
}

static void merge_shared(__local uint *values, int first_distance) {
    for (int distance = first_distance; distance > 0; distance /= 2) {
        for (int t = local_x(); t < SEGMENT / 2; t += threads_x()) {
            int2 p = distant_pair(t, distance);
            order(&values[p.x], &values[p.y]);
        }
        sync_block();
    }
}

static void load_segment(__global const uint *x, __local uint *values, int n) {
    for (int i = local_x(); i < SEGMENT; i += threads_x()) {
        int at = block_x() * SEGMENT + i;
        values[i] = at < n ? x[at] : UINT_MAX;
    }
    sync_block();
}

static void store_segment(__global uint *x, __local const uint *values, int n) {
    for (int i = local_x(); i < SEGMENT; i += threads_x()) {
        int at = block_x() * SEGMENT + i;
        if (at < n)
            x[at] = values[i];
    }
}

// Sorts each segment from scratch; a short one needs fewer rounds.
__kernel void bitonic_sort(__global uint *x, int n) {
    __local uint values[SEGMENT];
    load_segment(x, values, n);
    int filled = min(n - block_x() * SEGMENT, SEGMENT);
    for (int run = 2; run / 2 < filled; run *= 2) {
        for (int t = local_x(); t < SEGMENT / 2; t += threads_x()) {
            int2 p = mirrored_pair(t, run);
            order(&values[p.x], &values[p.y]);
        }
        sync_block();
        merge_shared(values, run / 4);
    }
    store_segment(x, values, n);
}

static void order_global(__global uint *x, int2 p, int n) {
    if (p.y < n) {
        uint low = x[p.x], high = x[p.y];
        if (low > high) {
            x[p.x] = high;
            x[p.y] = low;
        }
    }
}

// The two steps whose pairs lie further apart than a segment.
__kernel void bitonic_mirror(__global uint *x, int n, int run) {
    order_global(x, mirrored_pair(global_x(), run), n);
}

__kernel void bitonic_step(__global uint *x, int n, int distance) {
    order_global(x, distant_pair(global_x(), distance), n);
}

// The rest of a merge, all inside segments.
__kernel void bitonic_finish(__global uint *x, int n) {
    __local uint values[SEGMENT];
    load_segment(x, values, n);
    merge_shared(values, SEGMENT / 2);
    store_segment(x, values, n);
}

// The check counts neighbours out of order ...
__kernel void bitonic_check_order(__global const uint *x, __global uint *out_of_order, int n) {
    int i = global_x();
    if (i + 1 < n && x[i] > x[i + 1])
        atomic_inc(out_of_order);
}

// ... and takes three sums that do not depend on the order, before and after.
__kernel void bitonic_check_content(__global const uint *x, __global uint *sums, int n) {
    int i = global_x();
    if (i >= n)
        return;
    uint mixed = x[i] * 2654435761u;
    atomic_add(&sums[0], x[i]);
    atomic_xor(&sums[1], x[i]);
    atomic_add(&sums[2], mixed ^ (mixed >> 15));
}
