// Loads a warp's fragments of a k-step from a stage. The first factor of A meets all factors of B,
// which come first.
__device__ __forceinline__ void load_fragments(
    unsigned (&a)[TileA::REGISTERS], unsigned (&b)[TileB::REGISTERS],
    unsigned stage, Warp warp, int step) {
    const int k = warp.k + step * MMA_K;
    shared_to_register<TileB>(b, stage + TileA::BYTES, warp.n, k);
    shared_to_register<TileA>(a, stage, warp.m, k);
}
