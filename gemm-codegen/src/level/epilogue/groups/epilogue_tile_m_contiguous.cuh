// What a pass stores of a warpgroup's part of the output, which begins at (row0, col0): the place
// of the epilogue tile, a row of which is one n, and where that, or the part, ends.
struct EpilogueTile { int row, col, rows, cols; };
__device__ __forceinline__ EpilogueTile epilogue_tile(
    int pass, int row0, int col0, int rows, int cols) {
    const int row = row0 + first_band(pass) * 8, col = col0 + pass / ATOM_PASSES * MMA_M;
    return EpilogueTile{row, col, min(rows, row0 + STORED_N), cols};
}
