// (pair - offset) * scale, rounded after each step. The sum with -0 is the product.
__device__ __forceinline__ unsigned scaled(
    unsigned pair, const ScalesA& scales, int line, int step) {
    const unsigned minus_offset = scales.offset_pair(line, step) ^ MINUS_ZEROS;
    return fma_pair(fma_pair(pair, ONES, minus_offset), scales.pair(line, step), MINUS_ZEROS);
}
