// A pair of 4 bits each as two bf16. 0x4300 is 128, whose last bit is worth 1: with x for its low
// 4 bits it is 128 + x.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    return fma_bf16x2(pair | 0x43004300, 0x3f803f80, 0xc300c300);
}
