// pair * scale + offset, rounded once.
__device__ __forceinline__ unsigned scaled(
    unsigned pair, const ScalesA& scales, int line, int step) {
    return fma_pair(pair, pair_of(scales.value(line, step)), pair_of(scales.offset(line, step)));
}
