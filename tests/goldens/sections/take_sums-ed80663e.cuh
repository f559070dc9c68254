// COUNT neighbouring sums of each product.
template <int COUNT>
__device__ __forceinline__ void take_sums(Sum (&taken)[PRODUCTS][COUNT], const Sum* sums) {
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) taken[product][i] = sums[product * PART_SUMS + i];
    }
}
