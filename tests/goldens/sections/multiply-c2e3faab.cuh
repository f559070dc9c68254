// Issues the products of the rows of one atom with a k-tile, when it has landed. The first one
// defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
    Sum (&sums)[SUMS], Ring ring, RingState state, Warpgroup warpgroup, int atom) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
        const Steps steps = steps_of(step);
        const int row = warpgroup.m + atom * MMA_M, a_k = steps.a * MMA_K, b_k = steps.b * MMA_K;
        const auto a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, a_k));
        const auto b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, b_k));
        if (FIRST && step == 0) wgmma<false>(sums, a, b);
        else wgmma<true>(sums, a, b);
    }
    wgmma_commit();
}
