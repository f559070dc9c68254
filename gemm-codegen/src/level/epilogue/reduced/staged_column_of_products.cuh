// Where the sums of the first product for a column of the output are staged.
__device__ __forceinline__ int staged_column(int col) {
    return col / PART_N * WARP_N + col % PART_N;
}
