// max(x, 0); NaN stays NaN.
__device__ __forceinline__ float relu(const float x) {
    return x <= 0.0f ? 0.0f : x;
}

// max(x, 0); NaN stays NaN.
__device__ __forceinline__ double relu_f64(const double x) {
    return x <= 0.0 ? 0.0 : x;
}
