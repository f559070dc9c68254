// Stages PASS_BANDS bands of 8 columns of an atom, as `put` makes elements of sums: a warp holds 16
// rows of it, a lane two neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register
// fragments for wgmma, D)
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
        for (int j = 0; j < 4; j += 2) {
            const int row = warp * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
            put(pair, sums + j, row, col);
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(staged + in_epilogue_tile(row, col)) =
                *reinterpret_cast<const Words*>(pair);
        }
    }
}
