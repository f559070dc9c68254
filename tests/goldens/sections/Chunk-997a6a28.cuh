// OUT_VECTOR elements of a row that a thread stores: their position in the staging and in the
// output, and how many of them lie inside it.
struct Chunk { int staged_row, in_row, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(
    int number, int pass, int row0, int col0, int rows, int cols) {
    const int staged_row = number / ROW_CHUNKS, in_row = number % ROW_CHUNKS * OUT_VECTOR;
    const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                  + pass * PASS_ROWS + staged_row % PASS_ROWS;
    const int col = col0 + in_row;
    const bool inside = staged_row < STAGED_ROWS && row < rows && col < cols;
    return Chunk{staged_row, in_row, row, col, inside ? min(OUT_VECTOR, cols - col) : 0};
}
