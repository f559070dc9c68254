// Issues the products of all k-tiles, one at least, which are added to the sums. Those of a k-tile
// are in flight while the next one is waited for and issued; then its stage is released. Returns
// the stage of the last.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) fence_operand(acc[i][j]);
    }
    multiply<false>(acc, ring, state, warpgroup);
    unsigned multiplied = state.stage;  // of the k-tile before
    state.advance();
    for (int tile = 1; tile < tiles; ++tile, state.advance()) {
        multiply<false>(acc, ring, state, warpgroup);
        wgmma_wait<1>();
        consumer_release(ring, multiplied);
        multiplied = state.stage;
    }
    return multiplied;
}
