// The same for each product, whose columns are PART_N apart, of a warp in turn; `col` is one of the
// output's.
template <int COUNT>
__device__ __forceinline__ void load_sums(Sum (&sums)[PRODUCTS][COUNT], const Sum* row, int col) {
    const int staged_col = col / PART_N * WARP_N + col % PART_N;
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
        load_sums(sums[product], row, staged_col + product * PART_N);
    }
}
