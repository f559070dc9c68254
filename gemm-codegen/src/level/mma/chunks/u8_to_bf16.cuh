// A pair of 8 bits each as two bf16, as (x - 128) + 128: x - 128 is an i8 whose bit 7 is the other
// one. 0x4300 is 128, whose last bit is worth 1: with the low 7 bits of x it is 128 + x % 128. With
// the other bit 7 it is 128 if x is 128 or more, else 256: what is subtracted.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    constexpr unsigned ONE = 0x3f803f80, MINUS_ONE = 0xbf80bf80, BIAS = 0x43004300;  // 1, -1, 128
    const unsigned biased = pair & 0x007f007f | BIAS, less = ~pair & 0x00800080 | BIAS;
    return fma_bf16x2(fma_bf16x2(less, MINUS_ONE, biased), ONE, BIAS);
}
