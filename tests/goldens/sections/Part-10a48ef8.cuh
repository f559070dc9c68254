// The block's part of k: its first k, and its extent. The SPLITS blocks of a cluster share the K of
// a tile of the output in whole k-tiles, dealt as evenly as possible; a block may have none.
struct Part { int from, k; };
__device__ __forceinline__ Part part_of_block(int k) {
    const int tiles = (k + BLK_K - 1) / BLK_K, rank = cluster_rank();
    const int each = tiles / SPLITS, more = tiles % SPLITS;
    const int from = (rank * each + min(rank, more)) * BLK_K;
    return Part{from, max(min((each + (rank < more)) * BLK_K, k - from), 0)};
}
