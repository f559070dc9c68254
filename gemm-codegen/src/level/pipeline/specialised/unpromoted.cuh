// Sums that are not promoted yet.
struct Unpromoted { Sum sums[PROMOTED_SUMS]; };

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
#if PLANES
        const Steps steps = steps_of(step);
        const int a_k = steps.a * MMA_K, b_k = steps.b * MMA_K;
#else
        const int a_k = step * MMA_K, b_k = step * MMA_K;
#endif
        const auto a = first_a + instruction_offset<TileA>(0, a_k) / 16;
        const auto b = first_b + instruction_offset<TileB>(0, b_k) / 16;
        if (FIRST && step == 0) wgmma<false>(of.sums, a, b);
        else wgmma<true>(of.sums, a, b);
    }
    wgmma_commit();
}

// The same with `count` k-tiles from `state` on; between the first of them and the others,
// `meanwhile` is called.
template <class Meanwhile>
__device__ __forceinline__ void multiply(
    Unpromoted& of, Ring ring, RingState state, Warpgroup warpgroup, int atom, int count,
    Meanwhile meanwhile) {
#pragma unroll
    for (int j = 0; j < PROMOTED_SUMS; ++j) discard_operand(of.sums[j]);
    multiply<true>(of, ring, state, warpgroup, atom);
    meanwhile();
    for (int tile = 1; tile < count; ++tile) {
        state.advance();
        multiply<false>(of, ring, state, warpgroup, atom);
    }
}

// acc += what the tensor cores have summed, which they truncate; this rounds to nearest. The first
// of these sums is number `first` of acc.
__device__ __forceinline__ void promote(Sum (&acc)[SUMS], Unpromoted& of, int first = 0) {
#pragma unroll
    for (int j = 0; j < PROMOTED_SUMS; ++j) {
        fence_operand(of.sums[j]);
        acc[first + j] += of.sums[j];
    }
}

// Says that the warp has multiplied `count` k-tiles, one at least, from `state` on, which is then
// the next one's. If the latest is the last of all, its stage is not released. Returns that stage.
__device__ __forceinline__ unsigned release(
    Ring ring, RingState& state, int count, bool is_last) {
    for (int tile = 1; tile < count; ++tile, state.advance()) {
        consumer_release(ring, state.stage);
    }
    const unsigned latest = state.stage;
    state.advance();
    if (!is_last) consumer_release(ring, latest);
    return latest;
}

// All products have been waited for.
__device__ __forceinline__ void wait_for_products(Accumulators&) {}
