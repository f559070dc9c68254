__device__ __forceinline__ float body(const float acc, const float bias) {
    return gelu(acc + bias);
}
