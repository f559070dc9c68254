// CuTe's Swizzle<B, M, S>: bits M + S .. M + S + B of an offset, in elements, are xored into bits
// M .. M + B.
template <int B, int M, int S>
struct Swizzle {
    static constexpr int SPAN = B == 0 ? 1 : 1 << (M + S + B);  // the pattern repeats after these
    static constexpr int CHANGED = 1 << (M + B);  // bits below this one change
    static __device__ __forceinline__ int bits(int offset) {
        return (offset & ((1 << B) - 1) << (M + S)) >> S;
    }
    // What is xored into the columns of a row, where a row has 2^(M + B) elements.
    static __device__ __forceinline__ int bits_of_row(int row) {
        return row / (1 << (S - B)) % (1 << B) * (1 << M);
    }
};
