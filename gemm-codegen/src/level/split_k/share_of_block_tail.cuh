// The first `whole` tiles of the output have a block each, as they fill waves of blocks. K of the
// others is split: `splits` blocks share each, and follow one another in the grid, so that they run
// at the same time and the last of them finds the partial sums of all still in L2.
__device__ __forceinline__ Share share_of_block(int whole, int splits) {
    const int block = int(blockIdx.x), behind = block - whole;
    if (behind < 0) return Share{block, 0, 0, 1};
    return Share{whole + behind / splits, behind / splits, behind % splits, splits};
}
