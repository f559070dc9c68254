    // Offset of (row + rows, col), given that of (row, col).
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return above + rows * int(sizeof(Element));
    }
};
