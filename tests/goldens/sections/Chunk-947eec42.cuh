// OUT_VECTOR elements of a row that a thread stores: their place in a slab and in the output, and
// how many of them lie inside it.
struct Chunk { int in_slab, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = SLAB_COLS / OUT_VECTOR;
    const int slab_row = number / CHUNKS_PER_ROW;
    const int slab_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int row = row0 + slab_row, col = col0 + slab_col;
    const bool inside = slab_row < SLAB_ROWS && row < rows && col < cols;
    return Chunk{in_slab(slab_row, slab_col), row, col, inside ? min(OUT_VECTOR, cols - col) : 0};
}
