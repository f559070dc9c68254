// A k-tile of a factor in shared memory: R rows of C elements, swizzled.
template <class T, int R, int C, class S>
struct RowTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr int LOW = COLS & -COLS;  // the largest power of two that divides COLS
    static constexpr int PERIOD = LOW < S::SPAN ? S::SPAN / LOW : 1;  // of the swizzle, in rows
    // Offset of an element from the start of a stage, in bytes. A swizzle that stays inside a row
    // xors the column alone: the compiler folds the rest into the instructions.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        if constexpr (COLS % S::CHANGED == 0) {
            return int(sizeof(Element)) * (row * COLS + (col ^ S::bits(linear)));
        } else {
            return int(sizeof(Element)) * (linear ^ S::bits(linear));
        }
    }
    // Offset of (row + rows, col), given that of (row, col): it spares the compiler the proof that
    // the swizzle repeats.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % PERIOD == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
};
