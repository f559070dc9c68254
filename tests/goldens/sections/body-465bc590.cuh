__device__ __forceinline__ float body(const float acc, const float acc1) {
    return silu(acc) * acc1;
}
