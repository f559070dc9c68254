// x * sigmoid(x).
__device__ __forceinline__ float silu(const float x) {
    return times_sigmoid(x, x);
}

// x * sigmoid(x).
__device__ __forceinline__ double silu_f64(const double x) {
    return times_sigmoid_f64(x, x);
}
