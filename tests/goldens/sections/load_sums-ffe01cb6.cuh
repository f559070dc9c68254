// The same for each product, whose columns are PART_N apart.
template <int COUNT>
__device__ __forceinline__ void load_sums(Sum (&sums)[PRODUCTS][COUNT], const Sum* row, int col) {
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
        load_sums(sums[product], row, col + product * PART_N);
    }
}
