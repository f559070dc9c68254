// A, the operand `x`, after `t`, in shared memory.
struct TileA : BoxTile<bf16, BLK_M, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
