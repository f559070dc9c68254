// One k-step of a warp: acc(WARP_M x WARP_N) += a(WARP_M x MMA_K) * b(MMA_K x WARP_N).
__device__ __forceinline__ void mma(
    Accumulators& acc,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
            mma_atom(acc[i][j], &a[i * A_REGISTERS], &b[j * B_REGISTERS]);
        }
    }
}
