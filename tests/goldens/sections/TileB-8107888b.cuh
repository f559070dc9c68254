// B in shared memory: BLK_K columns of BLK_N elements, transposed by the copies.
struct TileB {
    typedef f32 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = (ROWS + 4) * int(sizeof(Element)), BYTES = COLS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? ALIGN_b : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 8;  // the most that share the copies of a row
