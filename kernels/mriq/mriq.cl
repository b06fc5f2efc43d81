// The Q matrix of magnetic-resonance image reconstruction: every voxel sums a cosine and a sine over
// all samples of k-space, weighted by the sample's power. Nearly all time goes to the special
// function unit and fused multiply-adds; every warp is full and reads the same sample at once.

// (kx, ky, kz, power): the power of a sample is the square of its complex value.
__kernel void mriq_power(__global const float2 *value, __global float4 *samples, int count) {
    int k = global_x();
    if (k < count)
        samples[k].w = value[k].x * value[k].x + value[k].y * value[k].y;
}

__kernel void mriq(__global const float *x, __global const float *y, __global const float *z,
                   __global const float4 *samples, __global float *real, __global float *imaginary,
                   int voxels, int count) {
    int v = global_x();
    if (v >= voxels)
        return;
    float px = x[v], py = y[v], pz = z[v];
    float sum_cos = 0.0f, sum_sin = 0.0f;
    for (int k = 0; k < count; k++) {
        float4 s = samples[k];
        float angle = 6.28318531f * (s.x * px + s.y * py + s.z * pz);
        sum_cos += s.w * cos(angle);
        sum_sin += s.w * sin(angle);
    }
    real[v] = sum_cos;
    imaginary[v] = sum_sin;
}

// The check turns each sample in double precision: whole turns are taken off exactly, then the sine
// and cosine of the rest come from their power series.
__kernel void mriq_check(__global const float *x, __global const float *y, __global const float *z,
                         __global const float4 *samples, __global float *real,
                         __global float *imaginary, int voxels, int count) {
    int v = global_x();
    if (v >= voxels)
        return;
    double sum_cos = 0.0, sum_sin = 0.0;
    for (int k = 0; k < count; k++) {
        double turns = (double)samples[k].x * x[v] + (double)samples[k].y * y[v] +
                       (double)samples[k].z * z[v];
        double angle = 6.283185307179586 * (turns - rint(turns));
        // Both series nested, up to angle^17: the next terms are below 2e-7 for |angle| <= pi.
        double square = angle * angle, c = 1.0, s = 1.0;
#pragma unroll
        for (int n = 16; n > 0; n -= 2) {
            c = 1.0 - square * c * (1.0 / (n * (n - 1)));
            s = 1.0 - square * s * (1.0 / (n * (n + 1)));
        }
        s *= angle;
        sum_cos += samples[k].w * c;
        sum_sin += samples[k].w * s;
    }
    real[v] = (float)sum_cos;
    imaginary[v] = (float)sum_sin;
}
