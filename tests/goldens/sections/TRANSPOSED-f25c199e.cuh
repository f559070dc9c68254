    static constexpr bool TRANSPOSED = false;
    static constexpr int X4_MN = 16;  // extent of four matrices
    // Where matrix 0..4 of an x4 load begins, and the offset of its row number `line`, for
    // the load `further` elements along m (or n).
    static __device__ __forceinline__ int matrix_mn(int matrix) { return matrix / 2 * 8; }
    static __device__ __forceinline__ int matrix_k(int matrix) { return matrix % 2 * 8; }
    static __device__ __forceinline__ int matrix_row(
            int mn, int k, int line, int further) {
        return below(offset(mn + line, k), mn + line, k, further);
    }
};
