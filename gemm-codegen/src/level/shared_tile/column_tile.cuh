// A k-tile of a factor in shared memory: C columns of R elements, transposed by the copies; columns
// are PADDING elements longer.
template <class T, int R, int C, int PADDING>
struct ColumnTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C;
    static constexpr int PITCH = (ROWS + PADDING) * int(sizeof(Element)), BYTES = COLS * PITCH;
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        return col * PITCH + row * int(sizeof(Element));
    }
    // Offset of (row + rows, col), given that of (row, col).
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return above + rows * int(sizeof(Element));
    }
};
