__device__ __forceinline__ float body(const float acc, const float bias, const float residual) {
    return acc + bias + residual;
}
