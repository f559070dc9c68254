// One k-step of a warp: acc(WARP_M x WARP_N) += a(WARP_M x MMA_K) * b(MMA_K x WARP_N), in several
// instructions. B's numbers are packed, those of two atoms in an element: their registers
// alternate.
__device__ __forceinline__ void mma(
    Accumulators& acc,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
    constexpr int OF_A = A_REGISTERS / INSTRUCTIONS, OF_B = MMA_K / 8 / INSTRUCTIONS;
#pragma unroll
    for (int j = 0; j < ATOMS_N; j += 2) {
        unsigned factors[MMA_K / 4], of_atoms[2][MMA_K / 8];
        to_factors(factors, &b[j / 2 * B_REGISTERS]);
#pragma unroll
        for (int i = 0; i < MMA_K / 4; ++i) of_atoms[i % 2][i / 2] = factors[i];
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
            for (int part = 0; part < INSTRUCTIONS; ++part) {
                const unsigned* const of_a = &a[i * A_REGISTERS + part * OF_A];
                mma_atom(acc[i][j], of_a, &of_atoms[0][part * OF_B]);
                mma_atom(acc[i][j + 1], of_a, &of_atoms[1][part * OF_B]);
            }
        }
    }
}
