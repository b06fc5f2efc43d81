// Facility location as in stream clustering: would opening a centre at a candidate point pay? Every
// point compares the weighted distance to the candidate with what it pays now; the candidate's
// coordinates wait in shared memory, the points' are stored one dimension after the other so that
// a warp reads neighbours. Opened when the savings exceed the fee. Memory-bound with a long loop of
// fused multiply-adds.

// Every operation is rounded on its own, so the host can repeat each choice exactly.
#pragma OPENCL FP_CONTRACT OFF

#define MAX_DIMENSIONS 64
#define BLOCK 256

__kernel void streamcluster_gain(__global const float *coordinates, __global const float *weight,
                                 __global const float *cost, __global float *new_cost,
                                 __global float *gains, int points, int dimensions, int candidate) {
    __local float centre[MAX_DIMENSIONS];
    __local float scratch[BLOCK];
    int t = local_x(), point = global_x();
    for (int d = t; d < dimensions; d += threads_x())
        centre[d] = coordinates[d * points + candidate];
    sync_block();
    float gain = 0.0f;
    if (point < points) {
        float distance = 0.0f;
        for (int d = 0; d < dimensions; d++) {
            float difference = coordinates[d * points + point] - centre[d];
            distance = fma(difference, difference, distance);
        }
        float would_pay = distance * weight[point];
        new_cost[point] = would_pay;
        gain = max(cost[point] - would_pay, 0.0f);
    }
    scratch[t] = gain;
    sync_block();
    for (int live = threads_x(); live > 1;) {
        int stride = (live + 1) / 2;
        if (t + stride < live)
            scratch[t] += scratch[t + stride];
        live = stride;
        sync_block();
    }
    if (t == 0)
        gains[block_x()] = scratch[0];
}

__kernel void streamcluster_decide(__global const float *gains, __global float *savings,
                                   __global int *opened, int blocks, int round, float fee) {
    if (global_x() != 0)
        return;
    float total = 0.0f;
    for (int b = 0; b < blocks; b++)
        total += gains[b];
    savings[round] = total;
    opened[round] = total > fee;
}

__kernel void streamcluster_switch(__global float *cost, __global const float *new_cost,
                                   __global int *centre, __global const int *opened, int points,
                                   int round, int candidate) {
    int point = global_x();
    if (point < points && opened[round] && new_cost[point] < cost[point]) {
        cost[point] = new_cost[point];
        centre[point] = candidate;
    }
}

// The check: what a point pays is the least over its first cost and all opened candidates.
__kernel void streamcluster_check(__global const float *coordinates, __global const float *weight,
                                  __global const int *opened, __global float *cost, int points,
                                  int dimensions, int rounds, int stride, float first_cost) {
    int point = global_x();
    if (point >= points)
        return;
    float least = first_cost;
    for (int round = 0; round < rounds; round++) {
        if (!opened[round])
            continue;
        int candidate = round * stride % points;
        float distance = 0.0f;
        for (int d = 0; d < dimensions; d++) {
            float difference = coordinates[d * points + point] - coordinates[d * points + candidate];
            distance = fma(difference, difference, distance);
        }
        least = min(least, distance * weight[point]);
    }
    cost[point] = least;
}
