// B, the operand `b`, in shared memory.
struct TileB : RowTile<f32, BLK_N, BLK_K, Swizzle<3, 2, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
