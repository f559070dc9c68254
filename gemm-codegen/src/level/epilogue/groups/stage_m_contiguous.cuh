// Stages PASS_BANDS bands of 8 columns of an atom, as `put` makes elements of sums, transposed: a
// row of the epilogue tile is one n. Of the atom a warp holds 16 rows, a lane two neighbours along
// n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
template <class Put>
__device__ __forceinline__ void stage(
    Staged* staged, const Accumulators& acc, int pass, const Put& put) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        if (band0 + band >= STORED_N / 8) break;
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int row = band * 8 + lane % 4 * 2 + j % 2;
            const int col = warp * 16 + lane / 4 + j / 2 * 8;
            Staged element[1];
            put(element, sums + j, row, col);
            staged[in_epilogue_tile(row, col)] = element[0];
        }
    }
}
