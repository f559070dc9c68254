// A in shared memory: BLK_K columns of BLK_M elements, transposed by the copies.
struct TileA {
    typedef f32 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = (ROWS + 4) * int(sizeof(Element)), BYTES = COLS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? ALIGN_a : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 8;  // the most that share the copies of a row
