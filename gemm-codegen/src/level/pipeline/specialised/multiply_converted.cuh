// Converts A's factors of a k-tile, when it has landed, and issues its products. The first one
// defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
#if SCALES
    Accumulators& acc, FactorsA& factors, Ring ring, RingState state, Warpgroup warpgroup,
    ScalesA& scales) {
#else
    Accumulators& acc, FactorsA& factors, Ring ring, RingState state, Warpgroup warpgroup) {
#endif
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
#if SCALES
    convert(factors, of_a, warpgroup.m, 0, scales);
    scales.advance();
#else
    convert(factors, of_a, warpgroup.m, 0);
#endif
    __syncwarp();  // one lane releases what all have loaded
    wgmma_fence();
    const auto first = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, 0));
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
        const auto b = first + instruction_offset<TileB>(0, step * MMA_K) / 16;
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            if (FIRST && step == 0) wgmma<false>(acc[i], factors[i][step], b);
            else wgmma<true>(acc[i], factors[i][step], b);
        }
    }
    wgmma_commit();
}

// Issues the products of all k-tiles, one at least. Those of a k-tile are in flight while the next
// one is waited for, converted and issued; then its stage is released. Two k-tiles that follow each
// other have registers of their own for A's factors. Returns the stage of the last.
__device__ __forceinline__ unsigned multiply_all(
#if SCALES
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, ScalesA& scales,
    int tiles) {
#else
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
#endif
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) discard_operand(acc[i][j]);
    }
    FactorsA even, odd;
    unsigned multiplied = state.stage;  // of the k-tile before
    const auto next = [&](FactorsA& factors) {
#if SCALES
        multiply<false>(acc, factors, ring, state, warpgroup, scales);
#else
        multiply<false>(acc, factors, ring, state, warpgroup);
#endif
        wgmma_wait<1>();
        consumer_release(ring, multiplied);
        multiplied = state.stage;
        state.advance();
    };
#if SCALES
    multiply<true>(acc, even, ring, state, warpgroup, scales);
#else
    multiply<true>(acc, even, ring, state, warpgroup);
#endif
    state.advance();
    int tile = 1;
    for (; tile + 1 < tiles; tile += 2) {
        next(odd);
        next(even);
    }
    if (tile < tiles) next(odd);
    return multiplied;
}
