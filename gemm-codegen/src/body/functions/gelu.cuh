// x / 2 * (1 + erf(x / sqrt(2))). The factor x is kept finite: -inf * 0 would be NaN.
#if F64
__device__ __forceinline__ double gelu_f64(const double x) {
    return 0.5 * fmax(x, -1.7976931348623157e308) * (1.0 + erf(x * 0.7071067811865476));
#else
__device__ __forceinline__ float gelu(const float x) {
    return 0.5f * fmaxf(x, -3.4028235e38f) * (1.0f + erff(x * 0.70710678f));
#endif
}
