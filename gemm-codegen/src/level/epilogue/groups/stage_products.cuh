// Stages the sums of each product in PASS_BANDS bands of 8 columns of an atom, the products next to
// each other: a warp holds 16 rows of it, a lane two neighbours along n of rows lane / 4 and
// lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
__device__ __forceinline__ void stage_sums(Staged* staged, const Accumulators& acc, int pass) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        if (band0 + band >= STORED_N / 8) break;
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = warp * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
#pragma unroll
            for (int product = 0; product < PRODUCTS; ++product) {
                const Sum* const of_product = sums + product * PART_SUMS + j;
                const __align__(16) Staged pair[2] = {of_product[0], of_product[1]};
                const int to = in_epilogue_tile(row, product * PASS_BANDS * 8 + col);
                *reinterpret_cast<Words*>(staged + to) = *reinterpret_cast<const Words*>(pair);
            }
        }
    }
}
