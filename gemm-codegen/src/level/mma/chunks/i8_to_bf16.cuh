// A pair of 8 bits each as two bf16. 0x4300 is 128, whose last bit is worth 1: with the low 7 bits
// of x it is 128 + x % 128. With bit 7 of x it is 256 if x is negative, else 128: what is
// subtracted.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    constexpr unsigned MINUS_ONE = 0xbf80bf80;
    const unsigned biased = pair | 0x43004300;
    return fma_bf16x2(biased & 0xff80ff80, MINUS_ONE, biased & 0xff7fff7f);
}
