// COUNT neighbouring sums.
template <int COUNT>
__device__ __forceinline__ void take_sums(Sum (&taken)[COUNT], const Sum* sums) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) taken[i] = sums[i];
}
