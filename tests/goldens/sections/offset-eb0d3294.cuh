    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * PANEL_COLS + col % PANEL_COLS;
        return col / PANEL_COLS * PANEL_BYTES
               + int(sizeof(Element)) * (linear ^ S::bits(linear));
    }
};
