// K is split: SPLITS blocks share each tile of the output. They follow one another in the grid, so
// that they run at the same time and the last of them finds the partial sums of all still in L2.
__device__ __forceinline__ Share share_of_block() {
    const int block = int(blockIdx.x), tile = block / SPLITS;
    return Share{tile, tile, block % SPLITS, SPLITS};
}
