// x * tanh(softplus(x)). The factor x is kept finite: -inf * 0 would be NaN.
#if F64
__device__ __forceinline__ double mish_f64(const double x) {
    return fmax(x, -1.7976931348623157e308) * tanh(softplus_f64(x));
#else
__device__ __forceinline__ float mish(const float x) {
    return fmaxf(x, -3.4028235e38f) * tanhf(softplus(x));
#endif
}
