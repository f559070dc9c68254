// The block's part of k: whole k-tiles, dealt as evenly as possible; a block may have none.
__device__ __forceinline__ Part part_of(Share share, int k) {
    const int tiles = (k + BLK_K - 1) / BLK_K;
    const int each = tiles / share.splits, more = tiles % share.splits;
    const int from = (share.split * each + min(share.split, more)) * BLK_K;
    return Part{from, max(min((each + (share.split < more)) * BLK_K, k - from), 0)};
}
