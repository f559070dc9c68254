// One k-step of a warp: acc(WARP_M x WARP_N) += a(WARP_M x MMA_K) * b(MMA_K x WARP_N). The pairs of
// a run are multiplied a few at a time: of both factors the same, so their order does not matter.
__device__ __forceinline__ void mma(
    Accumulators& acc,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
    constexpr int RUN_A = A_REGISTERS / 2, RUN_B = B_REGISTERS;  // registers of a run
    unsigned factors_a[ATOMS_M][4];  // each pair of both bands
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int band = 0; band < 2; ++band) {
            unsigned pairs[2];
            to_factor<TileA::Element>(pairs, &a[(i * 2 + band) * RUN_A]);
#pragma unroll
            for (int pair = 0; pair < 2; ++pair) factors_a[i][pair * 2 + band] = pairs[pair];
        }
    }
#pragma unroll
    for (int j = 0; j < ATOMS_N; ++j) {
        unsigned factors_b[2];
        to_factor<TileB::Element>(factors_b, &b[j * RUN_B]);
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
            for (int part = 0; part < INSTRUCTIONS; ++part) {
                mma_atom(acc[i][j], &factors_a[i][part * 4 / INSTRUCTIONS],
                         &factors_b[part * 2 / INSTRUCTIONS]);
            }
        }
    }
}
