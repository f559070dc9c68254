// Multiplies a k-tile, when it has landed: its parts have the registers of A's factors by turns,
// `one` first. The products of each are in flight while the next one is converted; with the last of
// a k-tile its stage is released.
template <bool FIRST>
__device__ __forceinline__ void multiply_tile(
    Accumulators& acc, FactorsA& one, FactorsA& other, unsigned& multiplied, Ring ring,
    RingState& state, Warpgroup warpgroup, ScalesA& scales) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
#pragma unroll
    for (int number = 0; number < PARTS; ++number) {
        FactorsA& factors = number % 2 == 0 ? one : other;
        if (FIRST && number == 0) multiply<true>(acc, factors, 0, of_a, of_b, warpgroup, scales);
        else multiply<false>(acc, factors, number, of_a, of_b, warpgroup, scales);
        if (FIRST && number == 0) continue;
        wgmma_wait<1>();
        if (number == 0) consumer_release(ring, multiplied);
    }
    scales.advance();
    __syncwarp();  // one lane releases what all have loaded
    multiplied = state.stage;
    state.advance();
}
