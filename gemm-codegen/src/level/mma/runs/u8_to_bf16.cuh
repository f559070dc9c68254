// The same of u8, as (x - 128) + 128: x - 128 is an i8 whose bit 7 is the other one. 0x4300 is 128
// as bf16, whose last bit is worth 1: with the low 7 bits of x it is 128 + x % 128. With the other
// bit 7 it is 128 if x is 128 or more, else 256: what is subtracted.
template <>
__device__ __forceinline__ void to_factor<u8>(unsigned (&pairs)[4], const unsigned* run) {
    constexpr unsigned ONE = 0x3f803f80, MINUS_ONE = 0xbf80bf80, BIAS = 0x43004300;  // 1, -1, 128
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned pair = __byte_perm(run[i / 2], 0x43434343, i % 2 == 0 ? 0x4140 : 0x4342);
        const unsigned less = ~pair & 0x00800080 | BIAS;
        pairs[i] = fma_bf16x2(fma_bf16x2(less, MINUS_ONE, pair & 0xff7fff7f), ONE, BIAS);
    }
}
