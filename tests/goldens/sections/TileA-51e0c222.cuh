// A, the operand `x`, in shared memory.
struct TileA : RowTile<bf16, BLK_M, BLK_K, Swizzle<2, 4, 2>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 1;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 16;  // neighbours along k of a lane
};
