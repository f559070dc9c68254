// B in shared memory: panels of 64 columns, each BLK_K rows, Swizzle<3, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = 64 * int(sizeof(Element));
    static constexpr int BYTES = ROWS * COLS * int(sizeof(Element));
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
