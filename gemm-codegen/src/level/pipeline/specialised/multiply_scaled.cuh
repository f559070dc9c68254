// The k-steps of a k-tile that have one scale are multiplied together.
constexpr int PARTS = STEPS_K / CONVERTED_STEPS;

// What is multiplied together: A's factors, the sums of the products, and what these are scaled by.
struct ScaledPart {
    FactorsA factors;
    Accumulators sums;
    Sum scales[2 * ATOMS_M];  // of the lane's rows
#if OFFSETS
    Sum lines[SUMS], offsets[2 * ATOMS_M];  // the sums of B's columns, in every row
    unsigned ones;  // what these are multiplied by, in a register that nothing writes again
    __device__ __forceinline__ ScaledPart() : ones(ONES) { fence_operand(ones); }
#endif
};

// Converts A's factors of a part of a k-tile, and issues its products.
__device__ __forceinline__ void multiply(
    ScaledPart& part, int number, unsigned of_a, unsigned of_b, Warpgroup warpgroup,
    const ScalesA& scales) {
    const int step0 = number * CONVERTED_STEPS;
    convert(part.factors, of_a, warpgroup.m, step0, scales);
#pragma unroll
    for (int i = 0; i < 2 * ATOMS_M; ++i) part.scales[i] = scales.value(i, step0);
#pragma unroll
    for (int j = 0; j < SUMS; ++j) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) discard_operand(part.sums[i][j]);
    }
#if OFFSETS
#pragma unroll
    for (int i = 0; i < 2 * ATOMS_M; ++i) part.offsets[i] = scales.offset(i, step0);
#pragma unroll
    for (int j = 0; j < SUMS; ++j) discard_operand(part.lines[j]);
#endif
    wgmma_fence();
    const auto first = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, 0));
#pragma unroll
    for (int step = 0; step < CONVERTED_STEPS; ++step) {
        const auto b = first + instruction_offset<TileB>(0, (step0 + step) * MMA_K) / 16;
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            if (step == 0) wgmma<false>(part.sums[i], part.factors[i][step], b);
            else wgmma<true>(part.sums[i], part.factors[i][step], b);
        }
#if OFFSETS
        const unsigned ones[4] = {part.ones, part.ones, part.ones, part.ones};
        if (step == 0) wgmma<false>(part.lines, ones, b);
        else wgmma<true>(part.lines, ones, b);
#endif
    }
    wgmma_commit();
}

// acc += the scaled sums of a part, whose products have completed.
__device__ __forceinline__ void add(Accumulators& acc, ScaledPart& part) {
#if OFFSETS
#pragma unroll
    for (int j = 0; j < SUMS; ++j) fence_operand(part.lines[j]);
#endif
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) {
            const int row = 2 * i + j / 2 % 2;  // of the lane's
            fence_operand(part.sums[i][j]);
#if OFFSETS
            acc[i][j] = add_scaled(acc[i][j], part.sums[i][j], part.lines[j], part.offsets[row],
                                   part.scales[row], 1);
#else
            acc[i][j] = __fmaf_rn(part.sums[i][j], part.scales[row], acc[i][j]);
#endif
        }
    }
}

// Multiplies a k-tile, when it has landed: its parts take turns, `one` first. The products of each
// are in flight while the next one is converted; then they are added, and with the last of a k-tile
// its stage is released. Those of an even number of parts are waited for at the end of a k-tile, or
// ptxas would wait for each instruction (NVRTC 13.1, C7514).
template <bool FIRST>
__device__ __forceinline__ void multiply_tile(
    Accumulators& acc, ScaledPart& one, ScaledPart& other, unsigned& multiplied, Ring ring,
    RingState& state, Warpgroup warpgroup, ScalesA& scales) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
#pragma unroll
    for (int number = 0; number < PARTS; ++number) {
        ScaledPart& now = number % 2 == 0 ? one : other;
        ScaledPart& before = number % 2 == 0 ? other : one;
        multiply(now, number, of_a, of_b, warpgroup, scales);
        if (FIRST && number == 0) continue;
        if (PARTS % 2 == 0 && number == PARTS - 1) wgmma_wait<0>();
        else wgmma_wait<1>();
        if (number == 0) consumer_release(ring, multiplied);
        add(acc, before);
    }
    scales.advance();
    __syncwarp();  // one lane releases what all have loaded
    multiplied = state.stage;
    state.advance();
}

// Multiplies all k-tiles, one at least, and adds what is in flight. Returns the stage of the last.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, ScalesA& scales,
    int tiles) {
    clear(acc);
    ScaledPart even, odd;
    unsigned multiplied = 0;
    const auto next = [&](ScaledPart& one, ScaledPart& other) {
        multiply_tile<false>(acc, one, other, multiplied, ring, state, warpgroup, scales);
    };
    const auto finish = [&](ScaledPart& last) {
        wgmma_wait<0>();
        add(acc, last);
    };
    multiply_tile<true>(acc, even, odd, multiplied, ring, state, warpgroup, scales);
    if constexpr (PARTS % 2 == 0) {
        for (int tile = 1; tile < tiles; ++tile) next(even, odd);
        finish(odd);
    } else {
        int tile = 1;
        for (; tile + 1 < tiles; tile += 2) {
            next(odd, even);
            next(even, odd);
        }
        if (tile < tiles) {
            next(odd, even);
            finish(odd);
        } else {
            finish(even);
        }
    }
    return multiplied;
}

// All products have been waited for.
__device__ __forceinline__ void wait_for_products(Accumulators&) {}
