// Cheapest path through a grid from the first row to the last, moving to one of the three cells
// below: dynamic programming row by row. A launch advances `height` rows at once: a block holds its
// columns in shared memory with a border of `height` columns on each side, which goes stale by one
// column a row. Integer only, a barrier a row, edge threads idle.

#define BLOCK 256

__kernel void pathfinder(__global const int *wall, __global const int *from, __global int *to,
                         int columns, int first_row, int height) {
    __local int costs[2][BLOCK];
    int t = local_x();
    int column = block_x() * (BLOCK - 2 * height) - height + t;
    int inside = column >= 0 && column < columns;
    costs[0][t] = inside ? from[column] : INT_MAX;
    sync_block();
    for (int i = 0; i < height; i++) {
        int now = i & 1;
        int cost = INT_MAX;
        if (inside && t > i && t < BLOCK - 1 - i) {
            int cheapest = min(costs[now][t], min(costs[now][t - 1], costs[now][t + 1]));
            cost = cheapest + wall[(first_row + i) * columns + column];
        }
        costs[1 - now][t] = cost;
        sync_block();
    }
    if (inside && t >= height && t < BLOCK - height)
        to[column] = costs[height & 1][t];
}

// The check: one row a launch, straight from global memory.
__kernel void pathfinder_check(__global const int *wall, __global const int *from, __global int *to,
                               int columns, int row) {
    int x = global_x();
    if (x >= columns)
        return;
    int cheapest = from[x];
    if (x > 0)
        cheapest = min(cheapest, from[x - 1]);
    if (x + 1 < columns)
        cheapest = min(cheapest, from[x + 1]);
    to[x] = cheapest + wall[row * columns + x];
}
