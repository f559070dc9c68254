__device__ __forceinline__ float body(const float acc) {
    return acc;
}
