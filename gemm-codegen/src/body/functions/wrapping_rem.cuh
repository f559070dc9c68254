// Remainder with the sign of x. A kernel cannot panic as Rust does: x % 0 and INT_MIN % -1 are 0.
__device__ __forceinline__ int wrapping_rem(const int x, const int y) {
    return y == 0 || y == -1 ? 0 : x % y;
}
