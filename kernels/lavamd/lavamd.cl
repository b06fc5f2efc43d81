// Particles in a cut-off: space is cut into boxes, one block a box, and a particle feels only those
// of its own and the 26 neighbouring boxes that lie within the cut-off radius. A box's particles
// are staged in shared memory and every thread sums potential and force over them. Long compute
// loops with an exponential; lanes drop out at the cut-off.

#define MAX_PARTICLES 128

// Contribution of one particle at distance d with charge q: (force, potential). It falls to zero at
// the cut-off, so rounding cannot switch a visible amount on or off.
static float4 interaction(float4 here, float4 other, float cutoff2, float alpha) {
    float3 d = here.xyz - other.xyz;
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
    if (r2 >= cutoff2)
        return (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    float fade = 1.0f - r2 / cutoff2;
    float potential = other.w * exp(-alpha * r2) * fade;
    return (float4)(d * (2.0f * alpha * potential), potential);
}

// particles[box][particle] = (x, y, z inside the box, charge); boxes are unit cubes.
__kernel void lavamd(__global const float4 *particles, __global float4 *force, int side,
                     int per_box, float cutoff2, float alpha) {
    __local float4 neighbours[MAX_PARTICLES];
    int box = block_x(), t = local_x();
    int bx = box % side, by = box / side % side, bz = box / (side * side);
    float4 here = t < per_box ? particles[box * per_box + t] : (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    for (int z = max(bz - 1, 0); z <= min(bz + 1, side - 1); z++)
        for (int y = max(by - 1, 0); y <= min(by + 1, side - 1); y++)
            for (int x = max(bx - 1, 0); x <= min(bx + 1, side - 1); x++) {
                int other = (z * side + y) * side + x;
                float4 offset = (float4)((float)(x - bx), (float)(y - by), (float)(z - bz), 0.0f);
                sync_block();
                if (t < per_box)
                    neighbours[t] = particles[other * per_box + t] + offset;
                sync_block();
                if (t < per_box)
                    for (int i = 0; i < per_box; i++)
                        sum += interaction(here, neighbours[i], cutoff2, alpha);
            }
    if (t < per_box)
        force[box * per_box + t] = sum;
}

// The check: one thread a particle against every particle there is, in absolute positions.
__kernel void lavamd_check(__global const float4 *particles, __global float4 *force, int side,
                           int per_box, float cutoff2, float alpha) {
    int i = global_x(), count = side * side * side * per_box;
    if (i >= count)
        return;
    float4 here = particles[i];
    int box = i / per_box;
    int bx = box % side, by = box / side % side, bz = box / (side * side);
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    for (int other = 0; other < side * side * side; other++) {
        int dx = other % side - bx, dy = other / side % side - by, dz = other / (side * side) - bz;
        // Further boxes are out of reach: the cut-off is at most one box long.
        if (abs(dx) > 1 || abs(dy) > 1 || abs(dz) > 1)
            continue;
        float4 offset = (float4)((float)dx, (float)dy, (float)dz, 0.0f);
        for (int p = per_box - 1; p >= 0; p--)
            sum += interaction(here, particles[other * per_box + p] + offset, cutoff2, alpha);
    }
    force[i] = sum;
}
