    // Offset of (row + rows, col), given that of (row, col): the swizzle repeats after
    // every row.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % 1 == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
