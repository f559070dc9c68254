// A pair of 4 bits each as two bf16. 0x4300 is 128, whose last bit is worth 1: with x + 8 for its
// low 4 bits it is 136 + x.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    return fma_bf16x2(pair ^ 0x43084308, 0x3f803f80, 0xc308c308);
}
