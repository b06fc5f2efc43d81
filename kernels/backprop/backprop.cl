// One layer of a neural network trained once. Forward: a block multiplies a tile of inputs by their
// weights and halves the products over the inputs in shared memory; one block a tile of units adds
// the partial sums and squashes them. Backward: every weight moves against its unit's error, with
// momentum. Barriers with ever fewer active rows, then a memory-bound update.

#define TILE 16

static float sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }

// weights[input * units + unit]; partial[block of inputs][unit].
__kernel void backprop_forward(__global const float *input, __global const float *weights,
                               __global float *partial, int inputs, int units) {
    __local float product[TILE][TILE];
    int x = local_x(), y = local_y();
    int unit = block_x() * TILE + x, i = block_y() * TILE + y;
    product[y][x] = i < inputs && unit < units ? input[i] * weights[i * units + unit] : 0.0f;
    sync_block();
    for (int stride = TILE / 2; stride > 0; stride /= 2) {
        if (y < stride)
            product[y][x] += product[y + stride][x];
        sync_block();
    }
    if (y == 0 && unit < units)
        partial[block_y() * units + unit] = product[0][x];
}

// Adds the partial sums of a unit, squashes, and derives the error the backward pass needs.
__kernel void backprop_output(__global const float *partial, __global const float *target,
                              __global float *output, __global float *delta, int blocks, int units) {
    int unit = global_x();
    if (unit >= units)
        return;
    float sum = 0.0f;
    for (int b = 0; b < blocks; b++)
        sum += partial[b * units + unit];
    float out = sigmoid(sum);
    output[unit] = out;
    delta[unit] = out * (1.0f - out) * (target[unit] - out);
}

__kernel void backprop_adjust(__global const float *input, __global const float *delta,
                              __global float *weights, __global float *change, int inputs, int units,
                              float rate, float momentum) {
    int unit = global_x(), i = global_y();
    if (unit >= units || i >= inputs)
        return;
    int w = i * units + unit;
    float step = rate * delta[unit] * input[i] + momentum * change[w];
    weights[w] += step;
    change[w] = step;
}

// The check keeps the weights as they were.
__kernel void backprop_setup(__global const float *weights, __global const float *change,
                             __global float *old_weights, __global float *old_change, int count) {
    int w = global_x();
    if (w >= count)
        return;
    old_weights[w] = weights[w];
    old_change[w] = change[w];
}

// One thread a unit does the whole layer one input after the other.
__kernel void backprop_check(__global const float *input, __global const float *target,
                             __global float *weights, __global const float *change, int inputs,
                             int units, float rate, float momentum) {
    int unit = global_x();
    if (unit >= units)
        return;
    double sum = 0.0;
    for (int i = 0; i < inputs; i++)
        sum += (double)input[i] * weights[i * units + unit];
    float out = sigmoid((float)sum);
    float delta = out * (1.0f - out) * (target[unit] - out);
    for (int i = 0; i < inputs; i++) {
        int w = i * units + unit;
        weights[w] += rate * delta * input[i] + momentum * change[w];
    }
}
