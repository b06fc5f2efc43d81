// Solves A x = b by Gaussian elimination without pivoting. For every column t one launch computes
// the multipliers of the rows below and one subtracts the multiple of row t from them; back
// substitution follows in one block. The work shrinks with t: late launches run few, partly filled
// warps. The setup makes A diagonally dominant, so no pivot is small.

__kernel void gaussian_setup(__global const float *random_a, __global const float *random_b,
                             __global float *a, __global float *b, int n) {
    int column = global_x(), row = global_y();
    if (row >= n || column >= n)
        return;
    a[row * n + column] = random_a[row * n + column] + (row == column ? (float)n : 0.0f);
    if (column == 0)
        b[row] = random_b[row];
}

__kernel void gaussian_multipliers(__global const float *a, __global float *multiplier, int n,
                                   int t) {
    int row = t + 1 + global_x();
    if (row < n)
        multiplier[row] = a[row * n + t] / a[t * n + t];
}

__kernel void gaussian_eliminate(__global float *a, __global float *b,
                                 __global const float *multiplier, int n, int t) {
    int column = t + global_x(), row = t + 1 + global_y();
    if (row >= n || column >= n)
        return;
    float m = multiplier[row];
    a[row * n + column] -= m * a[t * n + column];
    if (column == t)
        b[row] -= m * b[t];
}

// One block: the last unknown is solved by every thread, then each takes it out of its own rows.
__kernel void gaussian_solve(__global const float *a, __global float *b, __global float *x, int n) {
    for (int last = n - 1; last >= 0; last--) {
        float value = b[last] / a[last * n + last];
        if (local_x() == 0)
            x[last] = value;
        for (int row = local_x(); row < last; row += threads_x())
            b[row] -= a[row * n + last] * value;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

// The check puts x back into the system as it was: the product must be the b it began with.
__kernel void gaussian_check(__global const float *random_a, __global const float *x,
                             __global float *product, int n) {
    int row = global_x();
    if (row >= n)
        return;
    double sum = (double)n * x[row];
    for (int column = 0; column < n; column++)
        sum += (double)random_a[row * n + column] * x[column];
    product[row] = (float)sum;
}
