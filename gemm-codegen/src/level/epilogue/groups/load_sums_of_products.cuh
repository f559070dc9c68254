// Loads the sums of a chunk, those of each product.
__device__ __forceinline__ void load_sums(
    Sums<OUT_VECTOR>& sums, const Staged* staged, const Chunk& chunk) {
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
        const int col = product * PASS_BANDS * 8 + chunk.staged_col;
        load<16>(sums[product], staged + in_epilogue_tile(chunk.staged_row, col), OUT_VECTOR);
    }
}
