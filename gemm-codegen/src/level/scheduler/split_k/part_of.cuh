// The block's part of k: whole k-tiles, dealt as evenly as possible.
__device__ __forceinline__ Part part_of(Share share, int k) {
    const int tiles = (k - 1) / BLK_K + 1;
    const int each = tiles / share.splits, more = tiles % share.splits;
    const int from = (share.split * each + min(share.split, more)) * BLK_K;
    return Part{from, min((each + (share.split < more)) * BLK_K, k - from)};
}

// An operand (rows `ld` apart), from the first k of the block's part on.
template <class Tile>
__device__ __forceinline__ const typename Tile::Element* skip(
    const typename Tile::Element* operand, long long ld, Part part) {
    return operand + (Tile::K_CONTIGUOUS ? part.from : part.from * ld);
}
