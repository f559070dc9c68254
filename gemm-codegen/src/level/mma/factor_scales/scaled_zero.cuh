// (pair - offset) * scale, rounded after each step. The sum with -0 is the product.
__device__ __forceinline__ unsigned scaled(
    unsigned pair, const ScalesA& scales, int line, int step) {
    const unsigned minus_offset = pair_of(scales.offset(line, step)) ^ MINUS_ZEROS;
    const unsigned scale = pair_of(scales.value(line, step));
    return fma_pair(fma_pair(pair, ONES, minus_offset), scale, MINUS_ZEROS);
}
