// Inclusive prefix sum of unsigned integers in three launches: each block scans its piece in shared
// memory by doubling distances (Hillis and Steele), one block scans the pieces' totals, and every
// piece adds the total before it. Integer only; the sums wrap modulo 2^32.

#define MAX_BLOCK 256

// Scans one value per thread; two halves of the buffer alternate so that one barrier a step is
// enough. All threads of the block must call it.
static uint scan_block(uint value, __local uint *buffer) {
    int t = local_x();
    int from = 0;
    buffer[t] = value;
    sync_block();
    for (int distance = 1; distance < threads_x(); distance *= 2) {
        uint sum = buffer[from + t];
        if (t >= distance)
            sum += buffer[from + t - distance];
        from = MAX_BLOCK - from;
        buffer[from + t] = sum;
        sync_block();
    }
    return buffer[from + t];
}

__kernel void scan_pieces(__global const uint *x, __global uint *y, __global uint *totals, int n) {
    __local uint buffer[2 * MAX_BLOCK];
    int i = global_x();
    uint sum = scan_block(i < n ? x[i] : 0u, buffer);
    if (i < n)
        y[i] = sum;
    if (local_x() == threads_x() - 1)
        totals[block_x()] = sum;
}

// One block walks over the totals, carrying the sum from one round to the next.
__kernel void scan_totals(__global uint *totals, int pieces) {
    __local uint buffer[2 * MAX_BLOCK];
    __local uint carry;
    if (local_x() == 0)
        carry = 0u;
    sync_block();
    for (int base = 0; base < pieces; base += threads_x()) {
        int i = base + local_x();
        uint sum = scan_block(i < pieces ? totals[i] : 0u, buffer) + carry;
        if (i < pieces)
            totals[i] = sum;
        sync_block();
        if (local_x() == threads_x() - 1)
            carry = sum;
        sync_block();
    }
}

__kernel void scan_add(__global uint *y, __global const uint *totals, int n) {
    int i = global_x();
    if (i < n && block_x() > 0)
        y[i] += totals[block_x() - 1];
}

// The check: neighbouring sums must differ by exactly the element between them.
__kernel void scan_check(__global const uint *x, __global const uint *y, __global uint *difference,
                         int n) {
    int i = global_x();
    if (i < n)
        difference[i] = i == 0 ? y[0] : y[i] - y[i - 1];
}
