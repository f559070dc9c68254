    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (row * COLS + (col ^ ((linear & 0xe0) >> 3)));
    }
