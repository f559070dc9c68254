// Requests the first k-tiles, at most one for each stage: none is in use yet. Returns their number.
__device__ __forceinline__ int start(
    Ring ring, Block block, const TileA::Factor& a, const TileB::Factor& b, int from, int k) {
    const int tiles = min(k_tiles(k), STAGES);
    for (int tile = 0; tile < tiles; ++tile) {
        mbarrier_arrive_expect(ring.full_barrier(tile), BOXES_BYTES);
        copy_tile<TileA>(ring, tile, block, a, from + tile * BLK_K);
        copy_tile<TileB>(ring, tile, block, b, from + tile * BLK_K);
    }
    return tiles;
}
