// A k-tile of a factor in shared memory: R rows of C elements, swizzled.
template <class T, int R, int C, class S>
struct RowTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr int LOW = COLS & -COLS;  // the largest power of two that divides COLS
    static constexpr int PERIOD = LOW < S::SPAN ? S::SPAN / LOW : 1;  // of the swizzle, in rows
