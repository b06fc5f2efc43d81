// Vector addition: one thread adds one pair. Two loads and one store for a single operation, so
// memory bandwidth alone decides its time.

__kernel void vecadd(__global const float *a, __global const float *b, __global float *c, int n) {
    int i = global_x();
    if (i < n)
        c[i] = a[i] + b[i];
}

// The check adds in double precision, which is exact here, and rounds once.
__kernel void vecadd_check(__global const float *a, __global const float *b, __global float *c,
                           int n) {
    int i = global_x();
    if (i < n)
        c[i] = (float)((double)a[i] + (double)b[i]);
}
