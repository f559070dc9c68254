// K is split: SPLITS blocks share each tile of the output. They follow one another in the grid, so
// that they run at the same time and the last of them finds the partial sums of all still in L2.
__device__ __forceinline__ int tile_number() { return int(blockIdx.x) / SPLITS; }
__device__ __forceinline__ int split_number() { return int(blockIdx.x) % SPLITS; }

// The block's part of k: whole tiles of BLK_K, dealt as evenly as they can be.
__device__ __forceinline__ Part part_of(int k) {
    const int tiles = (k - 1) / BLK_K + 1, each = tiles / SPLITS, more = tiles % SPLITS;
    const int split = split_number();
    const int from = (split * each + min(split, more)) * BLK_K;
    return Part{from, min((each + (split < more)) * BLK_K, k - from)};
}

// An operand (rows `ld` apart) from the block's part of k on.
template <class Tile>
__device__ __forceinline__ const typename Tile::Element* skip(
    const typename Tile::Element* operand, long long ld, Part part) {
    return operand + (Tile::K_CONTIGUOUS ? part.from : part.from * ld);
}
