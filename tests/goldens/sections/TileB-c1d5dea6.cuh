// B, the operand `b`, in shared memory.
struct TileB : PanelTile<f16, BLK_K, BLK_N, 64, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
