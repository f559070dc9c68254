    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return ROWS == PART_N ? TileB::below(above, place(row), col, rows)
                              : offset(row + rows, col);
    }
};
