// Quotient towards 0. A kernel cannot panic as Rust does: x / 0 is 0, INT_MIN / -1 wraps.
__device__ __forceinline__ int wrapping_div(const int x, const int y) {
    return y == 0 ? 0 : y == -1 ? wrapping_neg(x) : x / y;
}
