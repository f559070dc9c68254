// A pair of factors times their scale, rounded. The sum with -0 is the product.
__device__ __forceinline__ unsigned scaled(
    unsigned pair, const ScalesA& scales, int line, int step) {
    return fma_pair(pair, pair_of(scales.value(line, step)), MINUS_ZEROS);
}
