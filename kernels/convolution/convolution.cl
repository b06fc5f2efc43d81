// Convolution of an image with a 5 x 5 filter held in constant memory: all lanes read the same
// coefficient at once, the ideal use of that memory, and neighbouring pixels from the cache. The
// filter is the binomial one, so it smooths. The image's edge is a mirror.

#define RADIUS 2
#define WIDTH (2 * RADIUS + 1)

__constant float filter[WIDTH * WIDTH] = {
    1 / 256.0f, 4 / 256.0f,  6 / 256.0f,  4 / 256.0f,  1 / 256.0f, 4 / 256.0f, 16 / 256.0f,
    24 / 256.0f, 16 / 256.0f, 4 / 256.0f,  6 / 256.0f,  24 / 256.0f, 36 / 256.0f, 24 / 256.0f,
    6 / 256.0f, 4 / 256.0f,  16 / 256.0f, 24 / 256.0f, 16 / 256.0f, 4 / 256.0f, 1 / 256.0f,
    4 / 256.0f, 6 / 256.0f,  4 / 256.0f,  1 / 256.0f};

// Rolled on purpose: unrolled, the compiler would turn the coefficients into immediates and the
// constant memory would see no access.
__kernel void convolution(__global const float *in, __global float *out, int width, int height) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
#pragma clang loop unroll(disable)
    for (int j = 0; j < WIDTH; j++) {
        int row = clamp(y + j - RADIUS, 0, height - 1) * width;
#pragma clang loop unroll(disable)
        for (int i = 0; i < WIDTH; i++)
            sum += filter[j * WIDTH + i] * in[row + clamp(x + i - RADIUS, 0, width - 1)];
    }
    out[y * width + x] = sum;
}

// The check uses that the filter is a product of 1 4 6 4 1 with itself: rows, then columns.
static double binomial(double a, double b, double c, double d, double e) {
    return (a + 4 * b + 6 * c + 4 * d + e) / 16;
}

static double smooth_row(__global const float *row, int x, int width) {
    return binomial(row[max(x - 2, 0)], row[max(x - 1, 0)], row[x], row[min(x + 1, width - 1)],
                    row[min(x + 2, width - 1)]);
}

__kernel void convolution_check(__global const float *in, __global float *out, int width,
                                int height) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    out[y * width + x] =
        (float)binomial(smooth_row(in + max(y - 2, 0) * width, x, width),
                        smooth_row(in + max(y - 1, 0) * width, x, width),
                        smooth_row(in + y * width, x, width),
                        smooth_row(in + min(y + 1, height - 1) * width, x, width),
                        smooth_row(in + min(y + 2, height - 1) * width, x, width));
}
