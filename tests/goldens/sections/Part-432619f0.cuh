// The part of the output in a pass, of a warpgroup's from (row0, col0) on: where it begins.
struct Part { int row, col; };
__device__ __forceinline__ Part part_of(int pass, int row0, int col0) {
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
    return Part{row0 + atom * MMA_M, col0 + band0 * 8};
}
