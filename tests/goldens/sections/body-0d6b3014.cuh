__device__ __forceinline__ float body(const float acc, const float bias_q) {
    return acc + bias_q;
}
