    static constexpr int X4_BYTES_MN = 32;  // extent of four matrices
    // Where matrix 0..4 of an x4 load begins, and the register of one half of them and band.
    static __device__ __forceinline__ int matrix_mn(int matrix) { return matrix / 2 * 16; }
    static __device__ __forceinline__ int matrix_k(int matrix) {
        return matrix % 2;
    }
