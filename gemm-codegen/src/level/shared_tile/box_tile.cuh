// A k-tile of a factor in shared memory, as the copy unit and wgmma have it: panels of 128 bytes of
// columns, each R rows, in which chunks of 16 bytes change places with the row. (CUDA Driver API,
// CU_TENSOR_MAP_SWIZZLE_128B; PTX ISA, Matrix descriptor format)
template <class T, int R, int C>
struct BoxTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C, PITCH = 128;  // bytes
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    static constexpr int BYTES = PANELS * PANEL_BYTES;
    static_assert(COLS % PANEL_COLS == 0 && ROWS <= 256, "panels are boxes");
};
