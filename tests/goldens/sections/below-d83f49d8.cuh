    // Offset of (row + rows, col), given that of (row, col): it spares the compiler the proof that
    // the swizzle repeats.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % PERIOD == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
};
