// Loads COUNT staged sums of a row from `col` on and swaps each pair of neighbours back.
template <int COUNT>
__device__ __forceinline__ void load_staged(Sum (&sums)[COUNT], const Sum* row, int col) {
    if constexpr (COUNT == 1) {
        sums[0] = row[col ^ 1];
    } else {
        Sum exchanged[COUNT];
        load<16>(exchanged, row + col, COUNT);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) sums[i] = exchanged[i ^ 1];
    }
}
