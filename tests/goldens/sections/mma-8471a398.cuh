// One k-step of a warp: acc(WARP_M x WARP_N) += a(WARP_M x MMA_K) * b(MMA_K x WARP_N). The factors
// are rounded first, since the instruction truncates them.
__device__ __forceinline__ void mma(
    Accumulators& acc,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
    unsigned rounded_a[TileA::REGISTERS], rounded_b[TileB::REGISTERS];
#pragma unroll
    for (int i = 0; i < TileA::REGISTERS; ++i) rounded_a[i] = round_tf32(a[i]);
#pragma unroll
    for (int i = 0; i < TileB::REGISTERS; ++i) rounded_b[i] = round_tf32(b[i]);
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
            mma_atom(acc[i][j], &rounded_a[i * A_REGISTERS], &rounded_b[j * B_REGISTERS]);
        }
    }
}
