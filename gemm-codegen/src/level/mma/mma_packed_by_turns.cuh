// What a warp sums of a tile before it is scaled, in two sums of its atom.
typedef Sum SumsOfTile[2][C_REGISTERS];

// One k-step of a warp of one atom: sums(MMA_M x MMA_N) += a(MMA_M x MMA_K) * b(MMA_K x MMA_N), in
// several instructions. They add to the two sums by turns: none waits for the one before it. A's
// numbers are packed.
__device__ __forceinline__ void mma(
    SumsOfTile& sums,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
    constexpr int OF_A = MMA_K / 4 / INSTRUCTIONS, OF_B = B_REGISTERS / INSTRUCTIONS;
    unsigned factors[MMA_K / 4];
    to_factors(factors, a);
#pragma unroll
    for (int part = 0; part < INSTRUCTIONS; ++part) {
        mma_atom(sums[part % 2], &factors[part * OF_A], &b[part * OF_B]);
    }
}
