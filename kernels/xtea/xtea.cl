// XTEA block cipher (Needham and Wheeler), one thread a 64-bit block: shifts, adds and exclusive
// ors only. Integer-only and compute-bound with every lane active.

#define ROUNDS 32
#define DELTA 0x9E3779B9u

// The key is read where the sum points; it stays in the cache.
__kernel void xtea_encrypt(__global const uint2 *plain, __global uint2 *cipher,
                           __global const uint *key, int n) {
    int i = global_x();
    if (i >= n)
        return;
    uint2 v = plain[i];
    uint sum = 0u;
    for (int round = 0; round < ROUNDS; round++) {
        v.x += ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + key[sum & 3]);
        sum += DELTA;
        v.y += ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + key[sum >> 11 & 3]);
    }
    cipher[i] = v;
}

// The check decrypts: the plain text must come back.
__kernel void xtea_check(__global const uint2 *cipher, __global uint2 *plain,
                         __global const uint *key, int n) {
    int i = global_x();
    if (i >= n)
        return;
    uint2 v = cipher[i];
    uint sum = DELTA * ROUNDS;
    for (int round = 0; round < ROUNDS; round++) {
        v.y -= ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + key[sum >> 11 & 3]);
        sum -= DELTA;
        v.x -= ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + key[sum & 3]);
    }
    plain[i] = v;
}
