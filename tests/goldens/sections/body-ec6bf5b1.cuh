__device__ __forceinline__ float body(const float acc, const float s) {
    return acc * s;
}
