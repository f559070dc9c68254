// Where what a pass stores of a warpgroup's part of the output begins, whose rows are one n each;
// the part does at (row0, col0).
struct EpilogueTile { int row, col; };
__device__ __forceinline__ EpilogueTile epilogue_tile(int pass, int row0, int col0) {
    return EpilogueTile{row0 + first_band(pass) * 8, col0 + pass / ATOM_PASSES * MMA_M};
}
