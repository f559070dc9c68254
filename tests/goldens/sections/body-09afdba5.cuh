__device__ __forceinline__ int body(const int acc) {
    return acc;
}
