// K-means clustering, the points read through a texture. `kmeans_assign` gives each point to its
// nearest centre, one thread a point, every warp full; `kmeans_update` moves each centre to the mean
// of its points, one block a centre and one thread a coordinate, so most lanes idle.

// Every operation is rounded on its own, so the host can repeat the choice of centre exactly.
#pragma OPENCL FP_CONTRACT OFF

__asm__(".global .texref features_tex;");

// Coordinate `index` of the point-major array behind the texture.
static float feature(int index) {
    float value, unused1, unused2, unused3;
    __asm__("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [features_tex, {%4}];"
            : "=f"(value), "=f"(unused1), "=f"(unused2), "=f"(unused3)
            : "r"(index));
    return value;
}

__kernel void kmeans_assign(__global const float *centres, __global int *member, int points,
                            int count, int dimensions) {
    int point = global_x();
    if (point >= points)
        return;
    int nearest = 0;
    float shortest = FLT_MAX;
    for (int c = 0; c < count; c++) {
        float distance = 0.0f;
        for (int d = 0; d < dimensions; d++) {
            float difference = feature(point * dimensions + d) - centres[c * dimensions + d];
            distance = fma(difference, difference, distance);
        }
        if (distance < shortest) {
            shortest = distance;
            nearest = c;
        }
    }
    member[point] = nearest;
}

// A centre without points stays where it is.
__kernel void kmeans_update(__global float *centres, __global const int *member, int points,
                            int dimensions) {
    int centre = block_x();
    for (int d = local_x(); d < dimensions; d += threads_x()) {
        float sum = 0.0f;
        int count = 0;
        for (int point = 0; point < points; point++) {
            if (member[point] == centre) {
                sum += feature(point * dimensions + d);
                count++;
            }
        }
        if (count > 0)
            centres[centre * dimensions + d] = sum / (float)count;
    }
}

// The check reads the same points as a plain buffer and tries the centres from last to first.
__kernel void kmeans_check(__global const float *features, __global const float *centres,
                           __global int *member, int points, int count, int dimensions) {
    int point = global_x();
    if (point >= points)
        return;
    int nearest = 0;
    float shortest = FLT_MAX;
    for (int c = count - 1; c >= 0; c--) {
        float distance = 0.0f;
        for (int d = 0; d < dimensions; d++) {
            float difference = features[point * dimensions + d] - centres[c * dimensions + d];
            distance = fma(difference, difference, distance);
        }
        if (distance <= shortest) {
            shortest = distance;
            nearest = c;
        }
    }
    member[point] = nearest;
}
