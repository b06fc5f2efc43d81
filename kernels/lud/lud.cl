// LU decomposition in place, in TILE x TILE blocks. Step k factors the diagonal tile, then the
// tiles of its row and column against it, then updates what is left by a product of tiles. The
// diagonal launch is one half-empty warp with a barrier a column; the last one is a small matrix
// multiply. The setup makes the matrix diagonally dominant, so no pivot is small.

#define TILE 16

__kernel void lud_setup(__global float *a, __global float *original, int n) {
    int column = global_x(), row = global_y();
    if (row >= n || column >= n)
        return;
    float value = a[row * n + column] + (row == column ? (float)n : 0.0f);
    a[row * n + column] = value;
    original[row * n + column] = value;
}

// Outside the matrix stands the identity: factoring it changes nothing inside.
static float cell(__global const float *a, int n, int row, int column) {
    if (row < n && column < n)
        return a[row * n + column];
    return row == column ? 1.0f : 0.0f;
}

static void store(__global float *a, int n, int row, int column, float value) {
    if (row < n && column < n)
        a[row * n + column] = value;
}

// Block of TILE threads: thread t owns row t below the diagonal and column t right of it.
__kernel void lud_diagonal(__global float *a, int n, int k) {
    __local float tile[TILE][TILE];
    int t = local_x(), base = k * TILE;
    for (int row = 0; row < TILE; row++)
        tile[row][t] = cell(a, n, base + row, base + t);
    sync_block();
    for (int i = 0; i < TILE - 1; i++) {
        if (t > i) {
            float sum = tile[t][i];
            for (int p = 0; p < i; p++)
                sum -= tile[t][p] * tile[p][i];
            tile[t][i] = sum / tile[i][i];
        }
        sync_block();
        if (t > i) {
            float sum = tile[i + 1][t];
            for (int p = 0; p <= i; p++)
                sum -= tile[i + 1][p] * tile[p][t];
            tile[i + 1][t] = sum;
        }
        sync_block();
    }
    for (int row = 0; row < TILE; row++)
        store(a, n, base + row, base + t, tile[row][t]);
}

// Block of 2 * TILE threads: the lower half solves a tile of the pivot row, the upper half a tile
// of the pivot column; the two halves of the warp take different branches.
__kernel void lud_perimeter(__global float *a, int n, int k) {
    __local float diagonal[TILE][TILE];
    __local float row_tile[TILE][TILE];
    __local float column_tile[TILE][TILE];
    int t = local_x() % TILE, base = k * TILE, far = base + (block_x() + 1) * TILE;
    for (int i = local_x() / TILE; i < TILE; i += 2) {
        diagonal[i][t] = cell(a, n, base + i, base + t);
        row_tile[i][t] = cell(a, n, base + i, far + t);
        column_tile[i][t] = cell(a, n, far + i, base + t);
    }
    sync_block();
    if (local_x() < TILE) {
        for (int i = 1; i < TILE; i++) {
            float sum = row_tile[i][t];
            for (int p = 0; p < i; p++)
                sum -= diagonal[i][p] * row_tile[p][t];
            row_tile[i][t] = sum;
        }
    } else {
        for (int i = 0; i < TILE; i++) {
            float sum = column_tile[t][i];
            for (int p = 0; p < i; p++)
                sum -= column_tile[t][p] * diagonal[p][i];
            column_tile[t][i] = sum / diagonal[i][i];
        }
    }
    sync_block();
    for (int i = local_x() / TILE; i < TILE; i += 2) {
        store(a, n, base + i, far + t, row_tile[i][t]);
        store(a, n, far + i, base + t, column_tile[i][t]);
    }
}

__kernel void lud_internal(__global float *a, int n, int k) {
    __local float left[TILE][TILE];
    __local float upper[TILE][TILE];
    int x = local_x(), y = local_y(), base = k * TILE;
    int column = base + (block_x() + 1) * TILE + x, row = base + (block_y() + 1) * TILE + y;
    left[y][x] = cell(a, n, row, base + x);
    upper[y][x] = cell(a, n, base + y, column);
    sync_block();
    float sum = 0.0f;
    for (int p = 0; p < TILE; p++)
        sum += left[y][p] * upper[p][x];
    if (row < n && column < n)
        a[row * n + column] -= sum;
}

// The check multiplies L by U: the product must be the matrix that was factored.
__kernel void lud_check(__global const float *lu, __global float *product, int n) {
    int column = global_x(), row = global_y();
    if (row >= n || column >= n)
        return;
    double sum = 0.0;
    for (int p = 0; p <= min(row, column); p++)
        sum += (p == row ? 1.0 : (double)lu[row * n + p]) * (double)lu[p * n + column];
    product[row * n + column] = (float)sum;
}
