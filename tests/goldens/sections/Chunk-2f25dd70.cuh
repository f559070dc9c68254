// OUT_VECTOR elements of a row of an epilogue tile that a thread brings and stores: their place in
// it and in the output, and how many of them lie inside that.
struct Chunk { int staged, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, EpilogueTile tile, int rows, int cols) {
    const int staged_row = number / ROW_CHUNKS, staged_col = number % ROW_CHUNKS * OUT_VECTOR;
    const int row = tile.row + staged_row, col = tile.col + staged_col;
    const int valid = row < rows ? min(max(cols - col, 0), OUT_VECTOR) : 0;
    return Chunk{in_epilogue_tile(staged_row, staged_col), row, col, valid};
}
