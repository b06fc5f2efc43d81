// Rotation of an image about its middle, read through a two-dimensional texture: each pixel asks where
// it came from and takes the nearest texel there; beyond the edge the border repeats. A warp reads a
// slanted line of texels, which is what a texture cache is for.

// Every operation is rounded on its own, so the host picks the same texels.
#pragma OPENCL FP_CONTRACT OFF

__asm__(".global .texref image_tex;");

static float texel(float u, float v) {
    float value, unused1, unused2, unused3;
    __asm__("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [image_tex, {%4, %5}];"
            : "=f"(value), "=f"(unused1), "=f"(unused2), "=f"(unused3)
            : "f"(u), "f"(v));
    return value;
}

// Where the middle of pixel (x, y) lies in the image before its rotation.
static float2 origin(int x, int y, int width, int height, float cosine, float sine) {
    float mx = 0.5f * (float)width, my = 0.5f * (float)height;
    float dx = (float)x + 0.5f - mx, dy = (float)y + 0.5f - my;
    return (float2)(fma(cosine, dx, fma(sine, dy, mx)), fma(cosine, dy, fma(-sine, dx, my)));
}

__kernel void rotate_image(__global float *out, int width, int height, float cosine, float sine) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    float2 from = origin(x, y, width, height, cosine, sine);
    out[y * width + x] = texel(from.x, from.y);
}

// The check reads the plain buffer behind the texture.
__kernel void rotate_check(__global const float *image, __global float *out, int width, int height,
                           float cosine, float sine) {
    int i = global_x();
    if (i >= width * height)
        return;
    float2 from = origin(i % width, i / width, width, height, cosine, sine);
    int column = clamp((int)floor(from.x), 0, width - 1);
    int row = clamp((int)floor(from.y), 0, height - 1);
    out[i] = image[row * width + column];
}
