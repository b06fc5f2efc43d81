// Breadth-first search with frontier flags: one thread a node. `bfs_expand` lets every node of the
// frontier mark its unvisited neighbours, `bfs_commit` makes the marked nodes the next frontier and
// raises `again` while there is one. Most threads find nothing to do and the edge loops differ in
// length: strong divergence and scattered loads.

__kernel void bfs_expand(__global const int *first_edge, __global const int *degree,
                         __global const int *edges, __global uchar *frontier,
                         __global const uchar *visited, __global uchar *marked, __global int *level,
                         int nodes) {
    int node = global_x();
    if (node >= nodes || !frontier[node])
        return;
    frontier[node] = 0;
    int first = first_edge[node], end = first + degree[node];
    for (int e = first; e < end; e++) {
        int neighbour = edges[e];
        if (!visited[neighbour]) {
            // Several nodes may write here; they all write the same level.
            level[neighbour] = level[node] + 1;
            marked[neighbour] = 1;
        }
    }
}

__kernel void bfs_commit(__global uchar *frontier, __global uchar *visited, __global uchar *marked,
                         __global int *again, int nodes) {
    int node = global_x();
    if (node >= nodes || !marked[node])
        return;
    marked[node] = 0;
    visited[node] = 1;
    frontier[node] = 1;
    again[0] = 1;
}

// The check relaxes every edge until nothing changes, with no frontier at all (Bellman and Ford).
// `far` stands for a node not reached yet.
__kernel void bfs_check_relax(__global const int *first_edge, __global const int *degree,
                              __global const int *edges, __global int *level, __global int *again,
                              int nodes, int far) {
    int node = global_x();
    if (node >= nodes || level[node] == far)
        return;
    int next = level[node] + 1;
    for (int e = 0; e < degree[node]; e++)
        if (atomic_min(&level[edges[first_edge[node] + e]], next) > next)
            again[0] = 1;
}
