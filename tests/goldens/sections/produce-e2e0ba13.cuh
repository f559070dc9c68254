// The producer, one thread: brings the k-tiles of A and B, k from `from` on, to the stages that
// the consumers have left. The first `started` of them have been requested.
__device__ __forceinline__ void produce(
    Ring ring, Place& place, Block block, const TileA::Factor& a, const TileB::Factor& b,
    int from, int k, int started) {
    const int tiles = tiles_of(k);
    for (int tile = started; tile < tiles; ++tile, place.advance()) {
        const int k0 = from + tile * BLK_K;
        reserve(ring, place);
        copy_tile<TileA>(ring, place.stage, block, a, k0);
        copy_tile<TileB>(ring, place.stage, block, b, k0);
    }
}
