// Longest matches of many queries in a text, by walking its suffix tree: from the root a thread
// follows the edge of the next query symbol and compares along it until a mismatch. The tree is read
// through a texture. Every lane walks its own path for its own length: pointer chasing with heavy
// divergence. Integer only.

// A node is the edge that leads to it, text[start .. end), and one child for each of the symbols
// 0 to 3 and the end mark 4. Node 0 is the root; a child of 0 means there is none. Eight words, the
// last one unused, make two texels of the texture.
#define NODE_WORDS 8
#define START 0
#define END 1
#define CHILD 2

__asm__(".global .texref tree_tex;");

static int4 tree_texel(int index) {
    int4 texel;
    __asm__("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [tree_tex, {%4}];"
            : "=r"(texel.x), "=r"(texel.y), "=r"(texel.z), "=r"(texel.w)
            : "r"(index));
    return texel;
}

static int child_of(int node, int symbol) {
    if (symbol < 2) {
        int4 texel = tree_texel(2 * node);
        return symbol == 0 ? texel.z : texel.w;
    }
    int4 texel = tree_texel(2 * node + 1);
    return symbol == 2 ? texel.x : texel.y;
}

// One thread inserts the suffixes one after the other, splitting an edge where a suffix leaves it.
// The text ends with the mark 4 at index `length`. node_count[0] receives the number of nodes.
__kernel void mummer_setup_tree(__global const uchar *text, __global int *tree,
                                __global int *node_count, int length) {
    if (global_x() != 0)
        return;
    int nodes = 1;
    for (int suffix = 0; suffix <= length; suffix++) {
        int node = 0, at = suffix;
        for (;;) {
            int slot = node * NODE_WORDS + CHILD + text[at];
            int child = tree[slot];
            if (child == 0) {
                tree[slot] = nodes;
                tree[nodes * NODE_WORDS + START] = at;
                tree[nodes * NODE_WORDS + END] = length + 1;
                nodes++;
                break;
            }
            int edge = tree[child * NODE_WORDS + START], end = tree[child * NODE_WORDS + END];
            while (edge < end && text[edge] == text[at]) {
                edge++;
                at++;
            }
            if (edge < end) {
                tree[slot] = nodes;
                tree[nodes * NODE_WORDS + START] = tree[child * NODE_WORDS + START];
                tree[nodes * NODE_WORDS + END] = edge;
                tree[nodes * NODE_WORDS + CHILD + text[edge]] = child;
                tree[child * NODE_WORDS + START] = edge;
                node = nodes++;
            } else {
                node = child;
            }
        }
    }
    node_count[0] = nodes;
}

// A query is a piece of the text in which a symbol is changed wherever the noise is zero.
__kernel void mummer_setup_queries(__global const uchar *text, __global const uint *origin,
                                   __global const uchar *noise, __global uchar *queries, int count,
                                   int query_length, int length) {
    int i = global_x();
    if (i >= count * query_length)
        return;
    uint at = (origin[i / query_length] + (uint)(i % query_length)) % (uint)length;
    uchar symbol = text[at];
    queries[i] = noise[i] == 0 ? (symbol + 1) & 3 : symbol;
}

// One thread a query position: length of the longest match that starts there, and a place in the
// text where it stands.
__kernel void mummer(__global const uchar *text, __global const uchar *queries,
                     __global int *match_length, __global int *match_place, int count,
                     int query_length) {
    int i = global_x();
    if (i >= count * query_length)
        return;
    int end_of_query = (i / query_length + 1) * query_length;
    int node = 0, at = i, place = 0, going = 1;
    while (going && at < end_of_query) {
        node = child_of(node, queries[at]);
        if (node == 0)
            break;
        int4 edge_texel = tree_texel(2 * node);
        int edge = edge_texel.x, end = edge_texel.y;
        while (edge < end && at < end_of_query && text[edge] == queries[at]) {
            edge++;
            at++;
        }
        place = edge - (at - i);
        going = edge == end;
    }
    match_length[i] = at - i;
    match_place[i] = place;
}

// The check takes every `sample`-th position: it tries every place of the text for the longest match
// and reads the text at the place that was found. Its three results must be the same.
__kernel void mummer_check(__global const uchar *text, __global const uchar *queries,
                           __global const int *match_length, __global const int *match_place,
                           __global int *found, __global int *longest, __global int *at_place,
                           int count, int query_length, int length, int sample) {
    int k = global_x(), i = k * sample;
    if (i >= count * query_length)
        return;
    int room = query_length - i % query_length;
    int best = 0, here = 0;
    for (int place = 0; place < length; place++) {
        int m = 0;
        while (m < room && text[place + m] == queries[i + m])
            m++;
        best = max(best, m);
        if (place == match_place[i])
            here = m;
    }
    found[k] = match_length[i];
    longest[k] = best;
    at_place[k] = here;
}
