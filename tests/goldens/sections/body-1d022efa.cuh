__device__ __forceinline__ Result body(const float acc, const float acc1, const float acc2) {
    return Result{acc, acc1, acc2};
}
