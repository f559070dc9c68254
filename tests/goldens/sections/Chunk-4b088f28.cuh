// OUT_VECTOR elements of a row of a slab that a thread moves: their place in it and in the output,
// and how many of them lie inside that.
struct Chunk { int in_slab, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, Part part, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = SLAB_COLS / OUT_VECTOR;
    const int slab_row = number / CHUNKS_PER_ROW;
    const int slab_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int row = part.row + slab_row, col = part.col + slab_col;
    const int valid = row < rows ? min(max(cols - col, 0), OUT_VECTOR) : 0;
    return Chunk{in_slab(slab_row, slab_col), row, col, valid};
}
