// Issues the products of a k-tile, when it has landed. The first one defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
    Accumulators& acc, Ring ring, RingState state, Warpgroup warpgroup) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
#if PLANES
        const Steps steps = steps_of(step);
#endif
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
#if PLANES
            const int row = warpgroup.m + i * MMA_M, a_k = steps.a * MMA_K, b_k = steps.b * MMA_K;
            const auto a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, a_k));
            const auto b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, b_k));
#else
            const int row = warpgroup.m + i * MMA_M, at_k = step * MMA_K;
            const auto a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, at_k));
            const auto b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, at_k));
#endif
            if (FIRST && step == 0) wgmma<false>(acc[i], a, b);
            else wgmma<true>(acc[i], a, b);
        }
    }
    wgmma_commit();
}
