// Mandelbrot set: how many steps z = z^2 + c takes to leave the circle of radius 2, one thread a
// pixel. A loop whose length differs from lane to lane and nothing but arithmetic inside.

// Every operation is rounded on its own, so the host counts the same steps.
#pragma OPENCL FP_CONTRACT OFF

static int steps(float cx, float cy, int limit) {
    float x = 0.0f, y = 0.0f;
    int i = 0;
    while (i < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = fma(2.0f * x, y, cy);
        x = xx - yy + cx;
        i++;
    }
    return i;
}

// The picture spans [-2.2, 0.8] x [-1.2, 1.2].
static int pixel(int x, int y, int width, int height, int limit) {
    float cx = fma(3.0f, ((float)x + 0.5f) / (float)width, -2.2f);
    float cy = fma(2.4f, ((float)y + 0.5f) / (float)height, -1.2f);
    return steps(cx, cy, limit);
}

__kernel void mandelbrot(__global int *count, int width, int height, int limit) {
    int x = global_x(), y = global_y();
    if (x < width && y < height)
        count[y * width + x] = pixel(x, y, width, height, limit);
}

// The check numbers the pixels from the last to the first, so other lanes share a warp.
__kernel void mandelbrot_check(__global int *count, int width, int height, int limit) {
    int i = width * height - 1 - global_x();
    if (i >= 0)
        count[i] = pixel(i % width, i / width, width, height, limit);
}
