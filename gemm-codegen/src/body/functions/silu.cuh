// x * sigmoid(x).
#if F64
__device__ __forceinline__ double silu_f64(const double x) {
    return times_sigmoid_f64(x, x);
#else
__device__ __forceinline__ float silu(const float x) {
    return times_sigmoid(x, x);
#endif
}
