// Loads COUNT sums of a staged row from `col` on, those of all WARPS_K added up.
template <int COUNT>
__device__ __forceinline__ void load_sums(Sum (&sums)[COUNT], const Sum* row, int col) {
    load_staged(sums, row, col);
#pragma unroll
    for (int other = 1; other < WARPS_K; ++other) {
        Sum more[COUNT];
        load_staged(more, row + other * STAGED_SUMS, col);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) sums[i] += more[i];
    }
}
