__device__ __forceinline__ double body(const double acc) {
    return acc;
}
