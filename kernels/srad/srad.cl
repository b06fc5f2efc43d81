// Speckle-reducing anisotropic diffusion of an image: a reduction finds the noise level (variance
// over squared mean) of the whole image, one launch computes a diffusion coefficient for each pixel
// from its gradient, another spreads brightness by it. Exponential at the start, logarithm at the
// end. The image's edge is a mirror.

#define BLOCK 256

__kernel void srad_extract(__global const float *raw, __global float *image, int pixels) {
    int i = global_x();
    if (i < pixels)
        image[i] = exp(raw[i] / 255.0f);
}

// Sum and sum of squares of a strided share, halved over the block; (sum, squares) per block.
__kernel void srad_sums(__global const float *image, __global float2 *sums, int pixels) {
    __local float2 scratch[BLOCK];
    int t = local_x();
    float2 sum = (float2)(0.0f, 0.0f);
    for (int i = global_x(); i < pixels; i += blocks_x() * threads_x()) {
        float value = image[i];
        sum += (float2)(value, value * value);
    }
    scratch[t] = sum;
    sync_block();
    for (int live = threads_x(); live > 1;) {
        int stride = (live + 1) / 2;
        if (t + stride < live)
            scratch[t] += scratch[t + stride];
        live = stride;
        sync_block();
    }
    if (t == 0)
        sums[block_x()] = scratch[0];
}

static float noise_level(float sum, float squares, int pixels) {
    float mean = sum / pixels;
    float variance = squares / pixels - mean * mean;
    return max(variance, 0.0f) / (mean * mean);
}

__kernel void srad_noise(__global const float2 *sums, __global float *noise, int blocks, int pixels) {
    if (global_x() != 0)
        return;
    float2 sum = (float2)(0.0f, 0.0f);
    for (int b = 0; b < blocks; b++)
        sum += sums[b];
    noise[0] = noise_level(sum.x, sum.y, pixels);
}

// Differences to the four neighbours: north, south, west, east.
static float4 differences(__global const float *image, int width, int height, int x, int y) {
    float here = image[y * width + x];
    return (float4)(image[max(y - 1, 0) * width + x] - here,
                    image[min(y + 1, height - 1) * width + x] - here,
                    image[y * width + max(x - 1, 0)] - here,
                    image[y * width + min(x + 1, width - 1)] - here);
}

static float coefficient(float here, float4 d, float noise) {
    float gradient = (d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w) / (here * here);
    float laplacian = (d.x + d.y + d.z + d.w) / here;
    float top = 0.5f * gradient - 0.0625f * laplacian * laplacian;
    float bottom = 1.0f + 0.25f * laplacian;
    float local_noise = top / (bottom * bottom);
    // The small constant keeps a constant image, whose noise is zero, from dividing by zero.
    float excess = (local_noise - noise) / (noise * (1.0f + noise) + 1e-6f);
    return clamp(1.0f / (1.0f + excess), 0.0f, 1.0f);
}

__kernel void srad_coefficients(__global const float *image, __global const float *noise,
                                __global float *c, int width, int height) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    float4 d = differences(image, width, height, x, y);
    c[y * width + x] = coefficient(image[y * width + x], d, noise[0]);
}

// The flow across an edge uses the coefficient of its southern or eastern pixel.
__kernel void srad_spread(__global const float *image, __global const float *c,
                          __global float *next, int width, int height, float lambda) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    int i = y * width + x;
    float4 d = differences(image, width, height, x, y);
    float south = c[min(y + 1, height - 1) * width + x];
    float east = c[y * width + min(x + 1, width - 1)];
    next[i] = image[i] + 0.25f * lambda * (c[i] * (d.x + d.z) + south * d.y + east * d.w);
}

__kernel void srad_compress(__global const float *image, __global float *raw, int pixels) {
    int i = global_x();
    if (i < pixels)
        raw[i] = log(image[i]) * 255.0f;
}

// The check's noise level: 32 threads, then one, in double precision.
__kernel void srad_check_noise(__global const float *image, __global float *noise, int pixels) {
    __local double sums[32];
    __local double squares[32];
    int t = local_x();
    double sum = 0.0, square = 0.0;
    for (int i = t; i < pixels; i += threads_x()) {
        sum += image[i];
        square += (double)image[i] * image[i];
    }
    sums[t] = sum;
    squares[t] = square;
    sync_block();
    if (t != 0)
        return;
    for (int i = 1; i < threads_x(); i++) {
        sum += sums[i];
        square += squares[i];
    }
    noise[0] = noise_level((float)sum, (float)square, pixels);
}

// The check's step: each pixel works out the coefficients of its neighbours itself.
__kernel void srad_check_step(__global const float *image, __global const float *noise,
                              __global float *next, int width, int height, float lambda) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    float flow = 0.0f;
    float4 here = differences(image, width, height, x, y);
    for (int edge = 0; edge < 3; edge++) {
        int cx = edge == 2 ? min(x + 1, width - 1) : x;
        int cy = edge == 1 ? min(y + 1, height - 1) : y;
        float4 d = differences(image, width, height, cx, cy);
        float c = coefficient(image[cy * width + cx], d, noise[0]);
        flow += c * (edge == 0 ? here.x + here.z : edge == 1 ? here.y : here.w);
    }
    next[y * width + x] = image[y * width + x] + 0.25f * lambda * flow;
}
