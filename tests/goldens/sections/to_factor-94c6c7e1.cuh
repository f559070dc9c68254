// The same of i8. 0x6400 is 1024 as f16, whose last bit is worth 1: with x + 128 for its low byte
// it is 1152 + x.
template <>
__device__ __forceinline__ void to_factor<i8>(unsigned (&pairs)[4], const unsigned* run) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned biased = run[i / 2] ^ 0x80808080;
        const unsigned pair = __byte_perm(biased, 0x64646464, i % 2 == 0 ? 0x4140 : 0x4342);
        pairs[i] = sub_f16x2(pair, 0x64806480);
    }
}
