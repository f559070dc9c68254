// Loads COUNT staged sums of a row from `col` on.
template <int COUNT>
__device__ __forceinline__ void load_staged(Sum (&sums)[COUNT], const Sum* row, int col) {
    load<16>(sums, row + col, COUNT);
}
