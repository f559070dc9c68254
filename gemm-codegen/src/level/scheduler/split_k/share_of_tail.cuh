// The first `whole` tiles of the output have a block each, as they fill whole waves. The K of each
// other tile is split over `splits` blocks, which are neighbours in the grid: they run at the same
// time and the last of them finds all partial sums in L2.
__device__ __forceinline__ Share share_of_block(int whole, int splits) {
    const int block = int(blockIdx.x), in_tail = block - whole;
    if (in_tail < 0) return Share{block, 0, 0, 1};
    return Share{whole + in_tail / splits, in_tail / splits, in_tail % splits, splits};
}
