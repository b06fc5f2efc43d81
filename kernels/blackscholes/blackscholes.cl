// European option prices by the Black-Scholes formula, one thread an option at a time: logarithm,
// exponential, square root and a polynomial. Straight-line floating point with the special function
// unit, every lane active.

// Cumulative normal distribution, by the rational approximation 26.2.17 of Abramowitz and Stegun
// (absolute error below 7.5e-8).
static float normal(float d) {
    float k = native_divide(1.0f, fma(0.2316419f, fabs(d), 1.0f));
    float tail = k * fma(k, fma(k, fma(k, fma(k, 1.330274429f, -1.821255978f), 1.781477937f),
                                -0.356563782f),
                         0.319381530f);
    tail *= 0.39894228f * exp(-0.5f * d * d);
    return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void blackscholes(__global const float *price, __global const float *strike,
                           __global const float *years, __global float *call, __global float *put,
                           int n, float rate, float volatility) {
    for (int i = global_x(); i < n; i += blocks_x() * threads_x()) {
        float spread = volatility * sqrt(years[i]);
        float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
                   spread;
        float n1 = normal(d1), n2 = normal(d1 - spread);
        float discounted = strike[i] * exp(-rate * years[i]);
        call[i] = price[i] * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - price[i] * (1.0f - n1);
    }
}

// The check uses put-call parity: call - put must be price - discounted strike. Its left side here
// holds call - put, its right side the discounted strike from a series in double precision.
__kernel void blackscholes_check(__global const float *price, __global const float *strike,
                                 __global const float *years, __global const float *call,
                                 __global const float *put, __global float *left,
                                 __global float *right, int n, float rate) {
    int i = global_x();
    if (i >= n)
        return;
    double x = -(double)rate * years[i], term = 1.0, discount = 1.0;
    for (int k = 1; k <= 12; k++) {
        term = term * x / k;
        discount += term;
    }
    left[i] = call[i] - put[i];
    right[i] = (float)(price[i] - strike[i] * discount);
}
