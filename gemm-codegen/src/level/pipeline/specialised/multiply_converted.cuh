// The k-steps of a k-tile that are converted together.
constexpr int PARTS = STEPS_K / CONVERTED_STEPS;

// Converts A's factors of a part of a k-tile, and issues its products. The first one defines the
// sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
    Accumulators& acc, FactorsA& factors, int number, unsigned of_a, unsigned of_b,
    Warpgroup warpgroup, const ScalesA& scales) {
    const int step0 = number * CONVERTED_STEPS;
    convert(factors, of_a, warpgroup.m, step0, scales);
    wgmma_fence();
    const auto first = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, 0));
#pragma unroll
    for (int step = 0; step < CONVERTED_STEPS; ++step) {
        const auto b = first + instruction_offset<TileB>(0, (step0 + step) * MMA_K) / 16;
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            if (FIRST && step == 0) wgmma<false>(acc[i], factors[i][step], b);
            else wgmma<true>(acc[i], factors[i][step], b);
        }
    }
    wgmma_commit();
}

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

// Multiplies all k-tiles, one at least. The products of the last part are in flight. Returns the
// stage of the last k-tile.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, ScalesA& scales,
    int tiles) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) discard_operand(acc[i][j]);
    }
    FactorsA even, odd;
    unsigned multiplied = 0;  // the stage before
    const auto next = [&](FactorsA& one, FactorsA& other) {
        multiply_tile<false>(acc, one, other, multiplied, ring, state, warpgroup, scales);
    };
    multiply_tile<true>(acc, even, odd, multiplied, ring, state, warpgroup, scales);
    int tile = 1;
    if constexpr (PARTS % 2 == 0) {
        for (; tile < tiles; ++tile) next(even, odd);
    } else {
        for (; tile + 1 < tiles; tile += 2) {
            next(odd, even);
            next(even, odd);
        }
        if (tile < tiles) next(odd, even);
    }
    return multiplied;
}
