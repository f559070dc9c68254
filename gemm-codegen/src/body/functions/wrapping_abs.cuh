// |x| modulo 2^32: INT_MIN stays.
__device__ __forceinline__ int wrapping_abs(const int x) {
    return x < 0 ? wrapping_neg(x) : x;
}
