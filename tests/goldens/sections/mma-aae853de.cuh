// One k-step of a warp: acc(WARP_M x WARP_N) += a(WARP_M x MMA_K) * b(MMA_K x WARP_N), in several
// instructions. A's numbers are packed.
__device__ __forceinline__ void mma(
    Accumulators& acc,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
    constexpr int OF_A = MMA_K / 4 / INSTRUCTIONS, OF_B = B_REGISTERS / INSTRUCTIONS;
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
        unsigned factors[MMA_K / 4];
        to_factors(factors, &a[i * A_REGISTERS]);
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
#pragma unroll
            for (int part = 0; part < INSTRUCTIONS; ++part) {
                mma_atom(acc[i][j], &factors[part * OF_A], &b[j * B_REGISTERS + part * OF_B]);
            }
        }
    }
}
