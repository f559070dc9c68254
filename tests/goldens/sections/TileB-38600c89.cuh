// B, the operand `b`, in shared memory.
struct TileB : RowTile<u8, BLK_K, BLK_N, Swizzle<3, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int X4_BYTES_MN = 16;  // extent of four matrices
    static constexpr bool HALVES_OF_K = true, BANDS_FIRST = true;
    static constexpr int INTERLEAVED = 2;  // bands whose lines are interleaved
};
