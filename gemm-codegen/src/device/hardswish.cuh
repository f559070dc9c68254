// x * hardsigmoid(x). The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ float hardswish(const float x) {
    return fmaxf(x, -3.4028235e38f) * hardsigmoid(x);
}
