// x / 2 * (1 + tanh(u)), u = sqrt(2 / pi) * (x + 0.044715 * x^3), which is x * sigmoid(2 * u).
// The factor x is kept finite: -inf * 0 would be NaN.
#if F64
__device__ __forceinline__ double gelu_tanh_f64(const double x) {
    const double u = 0.7978845608028654 * x * (1.0 + 0.044715 * x * x);
    return fmax(x, -1.7976931348623157e308) * sigmoid_f64(2.0 * u);
#else
__device__ __forceinline__ float gelu_tanh(const float x) {
#if HALVES
    return fmaxf(x, -3.4028235e38f) * sigmoid(x * (1.5957691f + 0.071354816f * x * x));
#else
    const float u = 0.7978846f * x * (1.0f + 0.044715f * x * x);
    return fmaxf(x, -3.4028235e38f) * sigmoid(2.0f * u);
#endif
#endif
}
