// Ray tracer for mirror spheres: one thread a pixel follows its ray from sphere to sphere until it
// meets the sky or has bounced often enough. Neighbouring rays soon part: nested loops with
// data-dependent branches and ever fewer active lanes.

// Every operation is rounded on its own, so the host can repeat each hit and miss exactly.
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
    float3 origin, direction;
} Ray;

static float dot3(float3 a, float3 b) { return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)); }

static float3 normalised(float3 v) {
    float length = sqrt(dot3(v, v));
    return (float3)(v.x / length, v.y / length, v.z / length);
}

// Four random numbers in [0, 1) make a sphere in the cube [-2, 2] with a radius from 0.15 to 0.4.
__kernel void raytrace_setup(__global const float4 *random, __global float4 *spheres, int count) {
    int i = global_x();
    if (i >= count)
        return;
    float4 r = random[i];
    spheres[i] = (float4)(fma(4.0f, r.x, -2.0f), fma(4.0f, r.y, -2.0f), fma(4.0f, r.z, -2.0f),
                          fma(0.25f, r.w, 0.15f));
}

// Distance along the ray to sphere (x, y, z, radius), or a negative number.
static float hit(Ray ray, float4 sphere) {
    float3 to_centre = sphere.xyz - ray.origin;
    float along = dot3(to_centre, ray.direction);
    float beside2 = dot3(to_centre, to_centre) - along * along;
    float room2 = sphere.w * sphere.w - beside2;
    if (room2 < 0.0f)
        return -1.0f;
    return along - sqrt(room2);
}

// The eye stands before the unit square, two units from the nearest centres.
static Ray through_pixel(int x, int y, int width, int height) {
    float u = ((float)x + 0.5f) / (float)width - 0.5f;
    float v = ((float)y + 0.5f) / (float)height - 0.5f;
    Ray ray;
    ray.origin = (float3)(0.0f, 0.0f, -4.0f);
    ray.direction = normalised((float3)(u, v, 1.0f));
    return ray;
}

static Ray reflected(Ray ray, float4 sphere, float distance) {
    float3 at = (float3)(fma(ray.direction.x, distance, ray.origin.x),
                         fma(ray.direction.y, distance, ray.origin.y),
                         fma(ray.direction.z, distance, ray.origin.z));
    float3 normal = normalised(at - sphere.xyz);
    float twice = -2.0f * dot3(ray.direction, normal);
    Ray next;
    next.origin = at;
    next.direction = (float3)(fma(normal.x, twice, ray.direction.x),
                              fma(normal.y, twice, ray.direction.y),
                              fma(normal.z, twice, ray.direction.z));
    return next;
}

// A hit nearer than this is the surface the ray has just left.
#define NEAR 1e-3f

// Each bounce keeps 0.8 of the light; the sky is brighter above.
static float brightness(Ray ray, float light) { return light * (0.6f + 0.4f * ray.direction.y); }

__kernel void raytrace(__global const float4 *spheres, __global float *image, int count, int width,
                       int height, int bounces) {
    int x = global_x(), y = global_y();
    if (x >= width || y >= height)
        return;
    Ray ray = through_pixel(x, y, width, height);
    float light = 1.0f;
    for (int bounce = 0; bounce < bounces; bounce++) {
        int nearest = -1;
        float shortest = FLT_MAX;
        for (int s = 0; s < count; s++) {
            float distance = hit(ray, spheres[s]);
            if (distance > NEAR && distance < shortest) {
                shortest = distance;
                nearest = s;
            }
        }
        if (nearest < 0)
            break;
        ray = reflected(ray, spheres[nearest], shortest);
        light *= 0.8f;
    }
    image[y * width + x] = brightness(ray, light);
}

// The check numbers the pixels down the columns and tries the spheres from last to first; of two at
// the same distance the lower number still wins.
__kernel void raytrace_check(__global const float4 *spheres, __global float *image, int count,
                             int width, int height, int bounces) {
    int i = global_x();
    if (i >= width * height)
        return;
    int x = i / height, y = i % height;
    Ray ray = through_pixel(x, y, width, height);
    float light = 1.0f;
    int left = bounces, nearest;
    do {
        nearest = -1;
        float shortest = FLT_MAX;
        for (int s = count - 1; s >= 0 && left > 0; s--) {
            float distance = hit(ray, spheres[s]);
            if (distance > NEAR && distance <= shortest) {
                shortest = distance;
                nearest = s;
            }
        }
        if (nearest >= 0) {
            ray = reflected(ray, spheres[nearest], shortest);
            light *= 0.8f;
        }
        left--;
    } while (nearest >= 0);
    image[y * width + x] = brightness(ray, light);
}
