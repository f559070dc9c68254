// -x modulo 2^32.
__device__ __forceinline__ int wrapping_neg(const int x) {
    return static_cast<int>(0u - static_cast<unsigned>(x));
}
