// Poisson's equation on a rectangle by Jacobi's iteration in double precision: a cell becomes the mean of
// its neighbours and the source; the border stays zero. Launched until no cell moved by more than
// the tolerance, so the number of launches depends on the data. The double-precision kernel.

// Every operation is rounded on its own, so the host stops after the same number of sweeps.
#pragma OPENCL FP_CONTRACT OFF

__kernel void poisson(__global const double *now, __global const double *source,
                      __global double *next, __global int *moving, __global int *sweeps, int width,
                      int height, double tolerance) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    int i = y * width + x;
    double left = x > 0 ? now[i - 1] : 0.0, right = x < width - 1 ? now[i + 1] : 0.0;
    double up = y > 0 ? now[i - width] : 0.0, down = y < height - 1 ? now[i + width] : 0.0;
    double value = 0.25 * (((left + right) + (up + down)) + source[i]);
    next[i] = value;
    if (fabs(value - now[i]) > tolerance)
        moving[0] = 1;
    if (i == 0)
        sweeps[0]++;
}

// The check: what is left when the source is taken from the cell and its neighbours. Four times the
// tolerance at most.
__kernel void poisson_check(__global const double *now, __global const double *source,
                            __global double *rest, int width, int height) {
    int i = global_x();
    if (i >= width * height)
        return;
    double sum = source[i] - 4.0 * now[i];
    if (i % width > 0)
        sum += now[i - 1];
    if (i % width < width - 1)
        sum += now[i + 1];
    if (i >= width)
        sum += now[i - width];
    if (i / width < height - 1)
        sum += now[i + width];
    rest[i] = sum;
}
