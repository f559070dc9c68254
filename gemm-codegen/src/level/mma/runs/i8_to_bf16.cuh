// The same of i8. 0x4300 is 128 as bf16, whose last bit is worth 1: with the low 7 bits of x it is
// 128 + x % 128. With bit 7 of x it is 256 if x is negative, else 128: what is subtracted.
template <>
__device__ __forceinline__ void to_factor<i8>(unsigned (&pairs)[4], const unsigned* run) {
    constexpr unsigned MINUS_ONE = 0xbf80bf80;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned pair = __byte_perm(run[i / 2], 0x43434343, i % 2 == 0 ? 0x4140 : 0x4342);
        pairs[i] = fma_bf16x2(pair & 0xff80ff80, MINUS_ONE, pair & 0xff7fff7f);
    }
}
