// Two-point angular correlation: a histogram of the angles between all pairs of directions. The
// cosine of a pair is found in a table of bin edges (constant memory) by binary search and counted
// in shared memory with atomics. Divergent constant reads, colliding atomics, triangular loops.

// Every operation is rounded on its own, so the host puts each pair in the same bin.
#pragma OPENCL FP_CONTRACT OFF

#define BINS 20
#define EDGES (BINS - 1)

// cos(pi * (b + 1) / 20), falling: bin b holds cosines in (edge[b], edge[b - 1]].
__constant float edge[EDGES] = {
    0.98768834f,  0.95105652f,  0.89100652f,  0.80901699f,  0.70710678f,  0.58778525f, 0.45399050f,
    0.30901699f,  0.15643447f,  0.0f,         -0.15643447f, -0.30901699f, -0.45399050f, -0.58778525f,
    -0.70710678f, -0.80901699f, -0.89100652f, -0.95105652f, -0.98768834f};

// Random points in a cube become directions. A point at the very centre points along x.
__kernel void tpacf_normalise(__global float *x, __global float *y, __global float *z, int n) {
    int i = global_x();
    if (i >= n)
        return;
    float length = sqrt(fma(x[i], x[i], fma(y[i], y[i], z[i] * z[i])));
    if (length == 0.0f) {
        x[i] = 1.0f;
        return;
    }
    x[i] /= length;
    y[i] /= length;
    z[i] /= length;
}

static float cosine(float3 a, float3 b) { return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)); }

// A block takes threads_x() directions and pairs each with all that come later.
__kernel void tpacf(__global const float *x, __global const float *y, __global const float *z,
                    __global uint *bins, int n) {
    __local uint counts[BINS];
    for (int b = local_x(); b < BINS; b += threads_x())
        counts[b] = 0u;
    sync_block();
    int i = global_x();
    if (i < n) {
        float3 here = (float3)(x[i], y[i], z[i]);
        for (int j = i + 1; j < n; j++) {
            float c = cosine(here, (float3)(x[j], y[j], z[j]));
            // The first edge below the cosine lies in [low, high].
            int low = 0, high = EDGES;
            while (low < high) {
                int middle = (low + high) / 2;
                if (c > edge[middle])
                    high = middle;
                else
                    low = middle + 1;
            }
            atomic_inc(&counts[low]);
        }
    }
    sync_block();
    for (int b = local_x(); b < BINS; b += threads_x())
        if (counts[b] != 0u)
            atomic_add(&bins[b], counts[b]);
}

// The check pairs each direction with all that come earlier, walks the edges one by one and counts
// in registers of its own row of a table; the rows are added up by the next launch.
__kernel void tpacf_check_rows(__global const float *x, __global const float *y,
                               __global const float *z, __global uint *rows, int n) {
    int j = global_x();
    if (j >= n)
        return;
    for (int i = 0; i < j; i++) {
        float c = cosine((float3)(x[i], y[i], z[i]), (float3)(x[j], y[j], z[j]));
        int bin = 0;
        while (bin < EDGES && c <= edge[bin])
            bin++;
        rows[bin * n + j]++;
    }
}

__kernel void tpacf_check_total(__global const uint *rows, __global uint *bins, int n) {
    int bin = global_x();
    if (bin >= BINS)
        return;
    uint sum = 0u;
    for (int j = 0; j < n; j++)
        sum += rows[bin * n + j];
    bins[bin] = sum;
}
