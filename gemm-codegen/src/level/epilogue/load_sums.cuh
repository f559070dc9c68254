// Loads COUNT sums of a staged row from `col` on, those of all WARPS_K added up.
template <int COUNT>
__device__ __forceinline__ void load_sums(Sum (&sums)[COUNT], const Sum* row, int col) {
#if EXCHANGED
    load_staged(sums, row, col);
#else
    load<16>(sums, row + col, COUNT);
#endif
#pragma unroll
    for (int other = 1; other < WARPS_K; ++other) {
        Sum more[COUNT];
#if EXCHANGED
        load_staged(more, row + other * STAGED_SUMS, col);
#else
        load<16>(more, row + other * STAGED_SUMS + col, COUNT);
#endif
#pragma unroll
        for (int i = 0; i < COUNT; ++i) sums[i] += more[i];
    }
}

// The same for each product, whose columns are PART_N apart.
template <int COUNT>
__device__ __forceinline__ void load_sums(Sum (&sums)[PRODUCTS][COUNT], const Sum* row, int col) {
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
        load_sums(sums[product], row, col + product * PART_N);
    }
}
