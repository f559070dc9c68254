// Applies the body to COUNT sums of `row` from `col` on, whose place in the first slab is `at`, and
// rounds the results.
template <int COUNT>
__device__ __forceinline__ void finish(
    Staged (&elements)[COUNT], const Sum (&sums)[COUNT], const Values& values,
    const Staged* at, int row, int col, int rows, int cols) {
    Result results[COUNT];
    values.apply(results, sums, at, row, col, rows, cols);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
}
