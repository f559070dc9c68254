// OUT_VECTOR elements of a row that a thread stores: their place in the part of an epilogue tile
// that each product has and in the output, and how many of them lie inside it.
struct Chunk { int staged_row, staged_col, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, EpilogueTile tile) {
    const int staged_row = number / ROW_CHUNKS, staged_col = number % ROW_CHUNKS * OUT_VECTOR;
    const int row = tile.row + staged_row, col = tile.col + staged_col;
    const bool inside = staged_row < EPILOGUE_ROWS && row < tile.rows && col < tile.cols;
    return Chunk{staged_row, staged_col, row, col, inside ? min(OUT_VECTOR, tile.cols - col) : 0};
}
