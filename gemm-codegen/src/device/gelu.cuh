// x / 2 * (1 + erf(x / sqrt(2))). The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ float gelu(const float x) {
    return 0.5f * fmaxf(x, -3.4028235e38f) * (1.0f + erff(x * 0.70710678f));
}
