// Needleman-Wunsch alignment scores: cell (i, j) needs its left, upper and upper-left neighbours, so
// the table is filled along anti-diagonals. One launch fills the tiles of one anti-diagonal; inside
// a tile TILE threads sweep 2 * TILE - 1 diagonals in shared memory, at most half a warp active and
// mostly fewer. Integer only.

#define TILE 16

// Scores of aligning the symbols A, C, G, T: a change within {A, G} or {C, T} costs less.
__constant int substitution[16] = {5, -4, -1, -4, -4, 5, -4, -1, -1, -4, 5, -4, -4, -1, -4, 5};

static int best(int diagonal, int up, int left, int match, int gap) {
    return max(diagonal + match, max(up, left) - gap);
}

// Row 0 and column 0: everything before is a gap.
__kernel void nw_border(__global int *score, int n, int gap) {
    int i = global_x();
    if (i > n)
        return;
    score[i] = -i * gap;
    score[i * (n + 1)] = -i * gap;
}

__kernel void nw(__global int *score, __global const uchar *across, __global const uchar *down, int n,
                 int gap, int diagonal, int first) {
    __local int tile[TILE + 1][TILE + 1];
    int t = local_x(), stride = n + 1;
    int tile_x = first + block_x(), tile_y = diagonal - tile_x;
    int left = tile_x * TILE, top = tile_y * TILE; // of the border row and column of this tile
    int column = left + t + 1, row = top + t + 1;
    if (column <= n)
        tile[0][t + 1] = score[top * stride + column];
    if (row <= n)
        tile[t + 1][0] = score[row * stride + left];
    if (t == 0)
        tile[0][0] = score[top * stride + left];
    int symbol = column <= n ? across[column - 1] : 0;
    sync_block();
    for (int d = 0; d < 2 * TILE - 1; d++) {
        int y = d - t + 1; // thread t walks down column t + 1, one cell a diagonal
        if (y >= 1 && y <= TILE && top + y <= n && column <= n) {
            int match = substitution[down[top + y - 1] * 4 + symbol];
            tile[y][t + 1] = best(tile[y - 1][t], tile[y - 1][t + 1], tile[y][t], match, gap);
        }
        sync_block();
    }
    for (int y = 1; y <= TILE; y++)
        if (top + y <= n && column <= n)
            score[(top + y) * stride + column] = tile[y][t + 1];
}

// The check fills one whole anti-diagonal of cells a launch, one thread a cell, no tiles.
__kernel void nw_check(__global int *score, __global const uchar *across,
                       __global const uchar *down, int n, int gap, int diagonal) {
    int column = max(1, diagonal - n + 2) + global_x(), row = diagonal + 2 - column;
    if (column > n || row < 1)
        return;
    int i = row * (n + 1) + column;
    int match = substitution[down[row - 1] * 4 + across[column - 1]];
    score[i] = best(score[i - n - 2], score[i - n - 1], score[i - 1], match, gap);
}
