// B, the operand `x`, in shared memory.
struct TileB : RowTile<bf16, BLK_N, BLK_K, Swizzle<3, 3, 5>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false;
    static constexpr int BANDS = 1;  // of eight lines of an atom
    static constexpr int MATRICES_K = 4, MATRIX_K = 8;  // matrices along k, extent of one
};
