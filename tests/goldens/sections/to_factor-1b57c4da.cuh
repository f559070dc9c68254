// The same of i4x2. 0x4300 is 128 as bf16, whose last bit is worth 1: with x + 8 for its low 4 bits
// it is 136 + x.
template <>
__device__ __forceinline__ void to_factor<i4x2>(unsigned (&pairs)[4], const unsigned* run) {
    const unsigned biased = run[0] ^ 0x88888888;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned pair = biased >> 4 * i & 0x000f000f | 0x43004300;
        pairs[i] = fma_bf16x2(pair, 0x3f803f80, 0xc308c308);
    }
}
