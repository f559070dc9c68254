// A pair of 8 bits each as two bf16. 0x4300 is 128, whose last bit is worth 1: with the low 7 bits
// of x it is 128 + x % 128. With bit 7 of x it is 256 if x is negative, else 128: what is
// subtracted.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    constexpr unsigned BIAS = 0x43004300, MINUS_ONE = 0xbf80bf80;
    const unsigned biased = pair & 0x007f007f | BIAS, less = pair & 0x00800080 | BIAS;
    return fma_bf16x2(less, MINUS_ONE, biased);
}
