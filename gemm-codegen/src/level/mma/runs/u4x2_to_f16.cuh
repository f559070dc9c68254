// The same of u4x2. 0x6400 is 1024 as f16, whose last bit is worth 1: with x for its low 4 bits
// it is 1024 + x.
template <>
__device__ __forceinline__ void to_factor<u4x2>(unsigned (&pairs)[4], const unsigned* run) {
    const unsigned biased = run[0];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned pair = biased >> 4 * i & 0x000f000f | 0x64006400;
        pairs[i] = sub_f16x2(pair, 0x64006400);
    }
}
