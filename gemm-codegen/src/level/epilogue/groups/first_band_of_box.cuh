// The first band of an atom in a pass. The last one ends with the atom, so that epilogue tiles are
// full: it may compute columns of the one before again.
__device__ __forceinline__ int first_band(int pass) {
    return min(pass % ATOM_PASSES * PASS_BANDS, STORED_N / 8 - PASS_BANDS);
}
