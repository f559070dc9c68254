// What one copy brings of a factor of B: PART_N columns of its product, those of one warp.
struct PartOfB : TileB {
#if K_CONTIGUOUS
    static constexpr int ROWS = PART_N, PART_BYTES = PART_N * PITCH;
#else
    static constexpr int COLS = PART_N, PANELS = PART_N / PANEL_COLS;
    static constexpr int PART_BYTES = PANELS * PANEL_BYTES;
#endif
};
