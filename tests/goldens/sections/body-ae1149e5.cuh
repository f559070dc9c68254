__device__ __forceinline__ float body(const float acc, const float scale_a, const float scale_b) {
    return scale_a * scale_b * acc;
}
