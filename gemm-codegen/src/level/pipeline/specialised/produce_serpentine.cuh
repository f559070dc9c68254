// The producer, one thread: brings the k-tiles of both factors, k from `from` on, to the stages
// that the consumers have released. The first `started` of them have been requested. In every
// second tile of the output from the last k-tile to the first: the last ones of the tile before are
// in L2.
__device__ __forceinline__ void produce(
    Ring ring, RingState& state, Block block, const TileA::Factor& a, const TileB::Factor& b,
    int from, int k, int started, bool backwards) {
    const int tiles = k_tiles(k);
    for (int tile = started; tile < tiles; ++tile, state.advance()) {
        const int k0 = from + (backwards ? tiles - 1 - tile : tile) * BLK_K;
        producer_acquire(ring, state);
        copy_tile<TileA>(ring, state.stage, block, a, k0);
        copy_tile<TileB>(ring, state.stage, block, b, k0);
    }
}
