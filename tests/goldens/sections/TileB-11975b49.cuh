// B, the operand `b`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
