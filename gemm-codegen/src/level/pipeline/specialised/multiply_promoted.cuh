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
#if PLANES
        const Steps steps = steps_of(step);
#endif
#if PLANES
        const int row = warpgroup.m + atom * MMA_M, a_k = steps.a * MMA_K, b_k = steps.b * MMA_K;
        const auto a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, a_k));
        const auto b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, b_k));
#else
        const int row = warpgroup.m + atom * MMA_M, at_k = step * MMA_K;
        const auto a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, at_k));
        const auto b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, at_k));
#endif
        if (FIRST && step == 0) wgmma<false>(sums, a, b);
        else wgmma<true>(sums, a, b);
    }
    wgmma_commit();
}

// acc += the products of the k-tiles from `state` on, of one atom after the other: `count` are
// summed by the tensor cores, which truncate, and then added to acc, which rounds to nearest.
__device__ __forceinline__ void promote(
    Accumulators& acc, Ring ring, RingState state, Warpgroup warpgroup, int count) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
        Sum sums[SUMS];
#pragma unroll
        for (int j = 0; j < SUMS; ++j) discard_operand(sums[j]);
        RingState next = state;
        multiply<true>(sums, ring, next, warpgroup, i);
        next.advance();
        for (int tile = 1; tile < count; ++tile, next.advance()) {
            multiply<false>(sums, ring, next, warpgroup, i);
        }
        wgmma_wait<0>();
#pragma unroll
        for (int j = 0; j < SUMS; ++j) {
            fence_operand(sums[j]);
            acc[i][j] += sums[j];
        }
    }
}

// The sums of no k-tile.
__device__ __forceinline__ void clear(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) acc[i][j] = 0;
    }
}

// Multiplies all k-tiles, one at least, PROMOTED of them at a time; then their stages are released,
// but for the last one, which is returned.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
    clear(acc);
    unsigned last = state.stage;
    for (int first = 0; first < tiles; first += PROMOTED) {
        const int count = min(PROMOTED, tiles - first);
        promote(acc, ring, state, warpgroup, count);
        for (int tile = first; tile < first + count; ++tile, state.advance()) {
            last = state.stage;
            if (tile + 1 < tiles) consumer_release(ring, last);
        }
    }
    return last;
}

// All products have been waited for.
__device__ __forceinline__ void wait_for_products(Accumulators&) {}
