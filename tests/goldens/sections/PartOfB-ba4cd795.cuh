// What one copy brings of a factor of B: PART_N columns of its product, those of one warp.
struct PartOfB : TileB {
    static constexpr int ROWS = PART_N, PART_BYTES = PART_N * PITCH;
};
