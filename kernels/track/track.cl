// Tracking points of a moving picture, as heart-wall tracking does: one block a point compares a small
// template with every place of a search window and keeps the best. The window is no multiple of a
// warp, the last warps run half empty, and one thread alone picks the winner.

// Every operation is rounded on its own, so the host finds the same winner.
#pragma OPENCL FP_CONTRACT OFF

#define MAX_PLACES 1024

// Sum of squared differences between a template and the frame at (x, y). Outside, the edge repeats.
static float difference(__global const float *frame, __global const float *template, int width,
                        int height, int x, int y, int size) {
    float sum = 0.0f;
    for (int j = 0; j < size; j++) {
        int row = clamp(y + j, 0, height - 1) * width;
        for (int i = 0; i < size; i++) {
            float d = frame[row + clamp(x + i, 0, width - 1)] - template[j * size + i];
            sum = fma(d, d, sum);
        }
    }
    return sum;
}

// The template of a point is what stands a little way (move_x, move_y) off it: the place to be found.
__kernel void track_setup(__global const float *frame, __global const int *point_x,
                          __global const int *point_y, __global const int *move_x,
                          __global const int *move_y, __global float *templates, int points,
                          int size, int width, int height) {
    int i = global_x();
    if (i >= points * size * size)
        return;
    int point = i / (size * size), row = i / size % size, column = i % size;
    int x = clamp(point_x[point] + column + move_x[point], 0, width - 1);
    int y = clamp(point_y[point] + row + move_y[point], 0, height - 1);
    templates[i] = frame[y * width + x];
}

// best[point] is the number of the winning place in a window of side * side places centred on the
// point; the first of equals wins.
__kernel void track(__global const float *frame, __global const float *templates,
                    __global const int *point_x, __global const int *point_y, __global int *best,
                    __global float *best_difference, int size, int side, int width, int height) {
    __local float differences[MAX_PLACES];
    int point = block_x();
    int left = point_x[point] - side / 2, top = point_y[point] - side / 2;
    for (int place = local_x(); place < side * side; place += threads_x())
        differences[place] =
            difference(frame, templates + point * size * size, width, height, left + place % side,
                       top + place / side, size);
    sync_block();
    if (local_x() != 0)
        return;
    int winner = 0;
    for (int place = 1; place < side * side; place++)
        if (differences[place] < differences[winner])
            winner = place;
    best[point] = winner;
    best_difference[point] = differences[winner];
}

// The check: one thread a point does everything, from the last place to the first.
__kernel void track_check(__global const float *frame, __global const float *templates,
                          __global const int *point_x, __global const int *point_y,
                          __global int *best, __global float *best_difference, int points, int size,
                          int side, int width, int height) {
    int point = global_x();
    if (point >= points)
        return;
    int winner = 0;
    float least = FLT_MAX;
    for (int place = side * side - 1; place >= 0; place--) {
        float d = difference(frame, templates + point * size * size, width, height,
                             point_x[point] - side / 2 + place % side,
                             point_y[point] - side / 2 + place / side, size);
        if (d <= least) {
            least = d;
            winner = place;
        }
    }
    best[point] = winner;
    best_difference[point] = least;
}
