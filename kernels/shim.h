// What the NVPTX back end lacks for OpenCL C: thread indices in 32 bits and the transcendental
// functions, which libclc leaves as calls that no library answers. Each is built on the PTX
// `.approx` instructions, as a GPU does it; the comment gives the error a caller may rely on.
#ifndef LANEWISE_SHIM_H
#define LANEWISE_SHIM_H

// `size_t` indices would cost a 64-bit multiply in every kernel; no launch here needs them.
static inline int local_x(void) { return (int)get_local_id(0); }
static inline int local_y(void) { return (int)get_local_id(1); }
static inline int block_x(void) { return (int)get_group_id(0); }
static inline int block_y(void) { return (int)get_group_id(1); }
static inline int threads_x(void) { return (int)get_local_size(0); }
static inline int threads_y(void) { return (int)get_local_size(1); }
static inline int blocks_x(void) { return (int)get_num_groups(0); }
static inline int global_x(void) { return block_x() * threads_x() + local_x(); }
static inline int global_y(void) { return block_y() * threads_y() + local_y(); }

static inline void sync_block(void) { barrier(CLK_LOCAL_MEM_FENCE); }

// 2^x: relative error 2^-22.
static inline float shim_exp2(float x) {
    float r;
    __asm__("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

// log2(x): absolute error 2^-22 for x in [0.5, 2], relative 2^-22 elsewhere.
static inline float shim_log2(float x) {
    float r;
    __asm__("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

// 1/sqrt(x): relative error 2^-22.
static inline float shim_rsqrt(float x) {
    float r;
    __asm__("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

// e^x: the product x * log2(e) is rounded once, so the relative error grows as 2^-24 * |x|.
static inline float shim_exp(float x) { return shim_exp2(x * 1.44269504f); }

// ln(x): log2 scaled.
static inline float shim_log(float x) { return shim_log2(x) * 0.693147181f; }

// x^y for x > 0.
static inline float shim_pow(float x, float y) { return shim_exp2(y * shim_log2(x)); }

// sin.approx and cos.approx promise 2^-20.9 absolute on [-pi, pi] only. Taking off the whole turns
// first, in two pieces because 2 pi does not fit one float, keeps that for |x| up to 10^4.
static inline float shim_whole_turns_off(float x) {
    float turns = rint(x * 0.159154943f);
    float r = fma(turns, -6.28125f, x);
    return fma(turns, -1.93530717959e-3f, r);
}

static inline float shim_sin(float x) {
    float r;
    __asm__("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(shim_whole_turns_off(x)));
    return r;
}

static inline float shim_cos(float x) {
    float r;
    __asm__("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(shim_whole_turns_off(x)));
    return r;
}

// Quotient with two ulps of error, for kernels that do not need the exact one.
static inline float shim_divide(float x, float y) {
    float r;
    __asm__("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
    return r;
}

#define exp2(x) shim_exp2(x)
#define log2(x) shim_log2(x)
#define rsqrt(x) shim_rsqrt(x)
#define exp(x) shim_exp(x)
#define log(x) shim_log(x)
#define pow(x, y) shim_pow(x, y)
#define sin(x) shim_sin(x)
#define cos(x) shim_cos(x)
#define native_divide(x, y) shim_divide(x, y)

#endif
