// B, the operand `b`, in shared memory.
struct TileB : BoxTile<f16, BLK_K, BLK_N> {
    static constexpr bool K_CONTIGUOUS = false;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
