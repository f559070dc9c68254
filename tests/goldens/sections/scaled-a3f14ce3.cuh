// A pair of factors that is multiplied as it has been converted.
__device__ __forceinline__ unsigned scaled(unsigned pair, const ScalesA&, int, int) {
    return pair;
}
