// Stages PASS_ATOMS rows of atoms of every warp: a lane holds two neighbours along n.
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const int lane = threadIdx.x % 32;
    const int row0 = warp.m / WARP_ROWS * PASS_ROWS + lane / 4, col0 = warp.n + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < PASS_ATOMS; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
            Sum* const to = staged + (row0 + i * MMA_M) * STAGED_PITCH + col0 + j * MMA_N;
#pragma unroll
            for (int band = 0; band < MMA_M / 8; ++band) {
                *reinterpret_cast<Pair*>(to + band * 8 * STAGED_PITCH) =
                    pair(acc[pass * PASS_ATOMS + i][j], band);
            }
        }
    }
}
