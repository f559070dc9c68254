// Requests the first tiles of a factor that the predecessor kernel does not write, at most one for
// each stage: none is in use yet. Returns their number.
template <class Tile>
__device__ __forceinline__ int start(
    Ring ring, Block block, const typename Tile::Factor& operand, int from, int k) {
    const int tiles = min(k_tiles(k), STAGES);
    for (int tile = 0; tile < tiles; ++tile) {
        mbarrier_arrive_expect(ring.full_barrier(tile), BOXES_BYTES);
        copy_tile<Tile>(ring, tile, block, operand, from + tile * BLK_K);
    }
    return tiles;
}
