// x * hardsigmoid(x). The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ float hardswish(const float x) {
    return fmaxf(x, -3.4028235e38f) * hardsigmoid(x);
}

// x * hardsigmoid(x). The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ double hardswish_f64(const double x) {
    return fmax(x, -1.7976931348623157e308) * hardsigmoid_f64(x);
}
