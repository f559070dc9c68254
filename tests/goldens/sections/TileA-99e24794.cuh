// A, the operand `a`, in shared memory.
struct TileA : PanelTile<f16, BLK_K, BLK_M, 64, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
