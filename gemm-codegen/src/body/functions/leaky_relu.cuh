// x where it is positive, else slope * x.
__device__ __forceinline__ float leaky_relu(const float x, const float slope) {
    return x > 0.0f ? x : slope * x;
}

// x where it is positive, else slope * x.
__device__ __forceinline__ double leaky_relu_f64(const double x, const double slope) {
    return x > 0.0 ? x : slope * x;
}
