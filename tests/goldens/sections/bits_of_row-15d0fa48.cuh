    // What is xored into the columns of a row, where a row has 2^(M + B) elements.
    static __device__ __forceinline__ int bits_of_row(int row) {
        return row / (1 << (S - B)) % (1 << B) * (1 << M);
    }
};
