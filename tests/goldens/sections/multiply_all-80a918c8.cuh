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
