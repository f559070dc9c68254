// A k-tile of a factor in shared memory: C columns of R elements, transposed by the copies; columns
// are PADDING elements longer.
template <class T, int R, int C, int PADDING>
struct ColumnTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C;
    static constexpr int PITCH = (ROWS + PADDING) * int(sizeof(Element)), BYTES = COLS * PITCH;
