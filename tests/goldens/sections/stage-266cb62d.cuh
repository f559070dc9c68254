// Stages PASS_BANDS bands of 8 columns of an atom: a warp holds 16 rows of it, a lane two
// neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
// The slab is the part of the output from row0 and col0 on.
__device__ __forceinline__ void stage(
    Staged* slab, const Accumulators& acc, int pass, const Values& values,
    int row0, int col0, int rows, int cols) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = of_group * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
            Sum of_row[PRODUCTS][2];
#pragma unroll
            for (int product = 0; product < PRODUCTS; ++product) {
                of_row[product][0] = sums[product * PART_SUMS + j];
                of_row[product][1] = sums[product * PART_SUMS + j + 1];
            }
            finish(pair, of_row, values, row0 + row, col0 + col, rows, cols);
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(slab + in_slab(row, col)) =
                *reinterpret_cast<const Words*>(pair);
        }
    }
}
