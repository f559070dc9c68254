// A pair of 4 bits each as two f16. 0x6400 is 1024, whose last bit is worth 1: with x for its low
// 4 bits it is 1024 + x.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    return sub_f16x2(pair | 0x64006400, 0x64006400);
}
