// Applies the body to COUNT sums of `row` from `col` on, and rounds the results.
template <int COUNT>
__device__ __forceinline__ void finish(
    Staged (&elements)[COUNT], const Sum (&sums)[PRODUCTS][COUNT], const Values& values,
    int row, int col, int rows, int cols) {
    Result results[COUNT];
    values.apply(results, sums, row, col, rows, cols);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
}
