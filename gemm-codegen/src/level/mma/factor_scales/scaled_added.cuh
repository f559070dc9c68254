// pair * scale + offset, rounded once.
__device__ __forceinline__ unsigned scaled(
    unsigned pair, const ScalesA& scales, int line, int step) {
    return fma_pair(pair, scales.pair(line, step), scales.offset_pair(line, step));
}
