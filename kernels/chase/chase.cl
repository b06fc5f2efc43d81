// Pointer chase: every thread follows `next` from its own start, each load waiting for the one
// before. Nothing overlaps within a thread, so memory latency alone decides its time.

// The list is a linear congruence, i -> (i * factor + 1) mod n, which scatters neighbours.
__kernel void chase_setup(__global uint *next, uint n, uint factor) {
    uint i = (uint)global_x();
    if (i < n)
        next[i] = (uint)(((ulong)i * factor + 1u) % n);
}

__kernel void chase(__global const uint *next, __global uint *end, int threads, uint n, int hops) {
    int t = global_x();
    if (t >= threads)
        return;
    uint at = (uint)t % n;
    // Rolled: the loop is the measurement.
#pragma clang loop unroll(disable)
    for (int hop = 0; hop < hops; hop++)
        at = next[at];
    end[t] = at;
}

// The check jumps: composing the congruence with itself doubles the distance, so log2(hops) steps
// of 64-bit arithmetic replace all loads.
__kernel void chase_check(__global uint *end, int threads, uint n, uint factor, int hops) {
    int t = global_x();
    if (t >= threads)
        return;
    ulong at = (ulong)t % n, scale = factor % n, shift = 1u % n;
    for (int left = hops; left > 0; left >>= 1) {
        if (left & 1)
            at = (at * scale + shift) % n;
        shift = (shift * scale + shift) % n;
        scale = scale * scale % n;
    }
    end[t] = (uint)at;
}
