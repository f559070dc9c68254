__device__ __forceinline__ float body(const float acc, const float residual) {
    return acc + residual;
}
