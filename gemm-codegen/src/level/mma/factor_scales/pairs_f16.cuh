// Pairs of factors: two f16.
constexpr unsigned ONES = 0x3c003c00, MINUS_ZEROS = 0x80008000;
__device__ __forceinline__ unsigned fma_pair(unsigned a, unsigned b, unsigned c) {
    return fma_f16x2(a, b, c);
}
// A value rounded to a factor, for each of a pair. (PTX ISA, cvt)
__device__ __forceinline__ unsigned pair_of(float value) {
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(pair) : "f"(value));
    return pair;
}
