#if BOXES
// Index of an element in a slab: units of SLAB_UNIT elements, 16 bytes, change places within their
// row as the copy unit has them. (CUDA Driver API, CU_TENSOR_MAP_SWIZZLE_128B)
#else
// Index of an element in a slab: units of SLAB_UNIT elements change places within their row, so
// that neither the stores nor the loads of a warp meet in a bank.
#endif
__device__ __forceinline__ int in_slab(int row, int col) {
    constexpr int UNITS = SLAB_COLS / SLAB_UNIT;
#if EACH_ROW
    return row * SLAB_COLS + (col ^ row % UNITS * SLAB_UNIT);
#else
    return row * SLAB_COLS + (col ^ row / 2 % UNITS * SLAB_UNIT);
#endif
}

#if ROUNDED
// What is staged has been rounded.
__device__ __forceinline__ void from_value(Out& result, Out value) { result = value; }

#endif
#if RESULTS
#if FETCHED
// Applies the body to COUNT sums of `row` from `col` on, whose place in the first slab is `at`, and
// rounds the results.
#else
// Applies the body to COUNT sums of `row` from `col` on, and rounds the results.
#endif
template <int COUNT>
__device__ __forceinline__ void finish(
#if PARTS
    Staged (&elements)[COUNT], const Sum (&sums)[PRODUCTS][COUNT], const Values& values,
#else
    Staged (&elements)[COUNT], const Sum (&sums)[COUNT], const Values& values,
#endif
#if FETCHED
    const Staged* at, int row, int col, int rows, int cols) {
#else
    int row, int col, int rows, int cols) {
#endif
    Result results[COUNT];
#if FETCHED
    values.apply(results, sums, at, row, col, rows, cols);
#else
    values.apply(results, sums, row, col, rows, cols);
#endif
#pragma unroll
    for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
}

#endif
#if BOXES
// The first band of an atom in a pass. The last one ends with the atom, so that slabs are full: it
// may compute columns of the one before again.
__device__ __forceinline__ int first_band(int pass) {
    return min(pass % ATOM_PASSES * PASS_BANDS, STORED_N / 8 - PASS_BANDS);
}

#endif
#if N_CONTIGUOUS
// Stages PASS_BANDS bands of 8 columns of an atom: a warp holds 16 rows of it, a lane two
// neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
#else
// Stages PASS_BANDS bands of 8 columns of an atom, transposed: a row of the slab is one n. Of the
// atom a warp holds 16 rows, a lane two neighbours along n of rows lane / 4 and lane / 4 + 8.
// (PTX ISA, Register fragments for wgmma, D)
#endif
#if RESULTS
// The slab is the part of the output from row0 and col0 on.
__device__ __forceinline__ void stage(
    Staged* slab, const Accumulators& acc, int pass, const Values& values,
    int row0, int col0, int rows, int cols) {
#else
__device__ __forceinline__ void stage(Staged* slab, const Accumulators& acc, int pass) {
#endif
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
#if BOXES
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#else
    const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
#endif
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
#if !BOXES
        if (band0 + band >= STORED_N / 8) break;  // the last pass of an atom has fewer
#endif
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
#if N_CONTIGUOUS
        for (int j = 0; j < 4; j += 2) {
            const int row = of_group * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
#if RESULTS
#if PARTS
            Sum of_row[PRODUCTS][2];
#pragma unroll
            for (int product = 0; product < PRODUCTS; ++product) {
                of_row[product][0] = sums[product * PART_SUMS + j];
                of_row[product][1] = sums[product * PART_SUMS + j + 1];
            }
#else
            const Sum of_row[2] = {sums[j], sums[j + 1]};
#endif
#if FETCHED
            const Staged* const at = slab + in_slab(row, col);
            finish(pair, of_row, values, at, row0 + row, col0 + col, rows, cols);
#else
            finish(pair, of_row, values, row0 + row, col0 + col, rows, cols);
#endif
#else
            pair[0] = sums[j], pair[1] = sums[j + 1];
#endif
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(slab + in_slab(row, col)) =
                *reinterpret_cast<const Words*>(pair);
#if SUMS_OF_PARTS
#pragma unroll
            for (int product = 1; product < PRODUCTS; ++product) {
                const Sum* const others = sums + product * PART_SUMS;
                pair[0] = others[j], pair[1] = others[j + 1];
                *reinterpret_cast<Words*>(slab + in_slab(row, product * PASS_BANDS * 8 + col)) =
                    *reinterpret_cast<const Words*>(pair);
            }
#endif
        }
#else
        for (int j = 0; j < 4; ++j) {
            const int row = band * 8 + lane % 4 * 2 + j % 2;
            const int col = of_group * 16 + lane / 4 + j / 2 * 8;
#if RESULTS
            const Sum of_row[1] = {sums[j]};
            Staged element[1];
#if FETCHED
            const Staged* const at = slab + in_slab(row, col);
            finish(element, of_row, values, at, row0 + row, col0 + col, rows, cols);
#else
            finish(element, of_row, values, row0 + row, col0 + col, rows, cols);
#endif
            slab[in_slab(row, col)] = element[0];
#else
            slab[in_slab(row, col)] = sums[j];
#endif
        }
#endif
    }
}
