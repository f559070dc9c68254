// What a pass stores of a warpgroup's part of the output, which begins at (row0, col0): the place
// of the epilogue tile, and where that, or the part, ends.
struct EpilogueTile { int row, col, rows, cols; };
__device__ __forceinline__ EpilogueTile epilogue_tile(
    int pass, int row0, int col0, int rows, int cols) {
    const int row = row0 + pass / ATOM_PASSES * MMA_M, col = col0 + first_band(pass) * 8;
    return EpilogueTile{row, col, rows, min(cols, col0 + STORED_N)};
}
