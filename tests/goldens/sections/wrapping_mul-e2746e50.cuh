// Product modulo 2^32.
__device__ __forceinline__ int wrapping_mul(const int x, const int y) {
    return static_cast<int>(static_cast<unsigned>(x) * static_cast<unsigned>(y));
}
