// A k-tile of a factor in shared memory: panels of P columns, each R rows, swizzled.
template <class T, int R, int C, int P, class S>
struct PanelTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C, PANEL_COLS = P;
    static constexpr int PITCH = PANEL_COLS * int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    static constexpr int BYTES = PANELS * PANEL_BYTES;
    static_assert(COLS % PANEL_COLS == 0 && ROWS <= 256, "panels are boxes");
