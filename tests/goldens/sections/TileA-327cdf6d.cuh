// A, the operand `a`, in shared memory.
struct TileA : RowTile<u8, BLK_K, BLK_M, Swizzle<3, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int X4_BYTES_MN = 16;  // extent of four matrices
    static constexpr bool HALVES_OF_K = true, BANDS_FIRST = false;
    static constexpr int INTERLEAVED = 2;  // bands whose lines are interleaved
};
