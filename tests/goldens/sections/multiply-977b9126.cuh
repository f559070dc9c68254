// Issues the products of the k-tile at `place`, when it has landed. The first one defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(Accumulators& acc, Ring ring, Place place, Warp warp) {
    const unsigned of_a = ring.stages + place.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full + place.stage * 8, place.parity);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            const int row = warp.m + i * MMA_M, at_k = step * MMA_K;
            const auto a = descriptor<TileA>(of_a + TileA::offset(row, at_k));
            const auto b = descriptor<TileB>(of_b + TileB::offset(warp.n, at_k));
            if (FIRST && step == 0) wgmma<false>(acc[i], a, b);
            else wgmma<true>(acc[i], a, b);
        }
    }
    wgmma_commit();
}
