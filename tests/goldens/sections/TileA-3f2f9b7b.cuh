// A, the operand `a`, in shared memory.
struct TileA : BoxTile<e4m3, BLK_M, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
