// x * hardsigmoid(x). The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ double hardswish_f64(const double x) {
    return fmax(x, -1.7976931348623157e308) * hardsigmoid_f64(x);
}
