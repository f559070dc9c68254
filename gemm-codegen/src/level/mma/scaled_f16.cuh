// A pair of factors times their scale, each rounded. The sum with -0 is the product.
__device__ __forceinline__ unsigned scaled(unsigned pair, unsigned scale) {
    return fma_f16x2(pair, scale, 0x80008000);
}
