// A, the operand `a`, in shared memory.
struct TileA : BoxTile<f16, BLK_K, BLK_M> {
    static constexpr bool K_CONTIGUOUS = false;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
