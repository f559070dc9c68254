// Issues the products of an atom with a k-tile, when it has landed. The first one defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
    Unpromoted& of, Ring ring, RingState state, Warpgroup warpgroup, int atom) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    const int row = warpgroup.m + atom * MMA_M;
    const auto first_a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, 0));
    const auto first_b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, 0));
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
        const Steps steps = steps_of(step);
        const int a_k = steps.a * MMA_K, b_k = steps.b * MMA_K;
        const auto a = first_a + instruction_offset<TileA>(0, a_k) / 16;
        const auto b = first_b + instruction_offset<TileB>(0, b_k) / 16;
        if (FIRST && step == 0) wgmma<false>(of.sums, a, b);
        else wgmma<true>(of.sums, a, b);
    }
    wgmma_commit();
}
