// The K of each tile is split over SPLITS blocks, which are neighbours in the grid: they run at the
// same time and the last of them finds all partial sums in L2.
__device__ __forceinline__ Share share_of_block() {
    const int block = int(blockIdx.x), tile = block / SPLITS;
    return Share{tile, tile, block % SPLITS, SPLITS};
}
