// Stages PASS_ATOMS columns of atoms of every warp, transposed: a staged row is one n.
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const int lane = threadIdx.x % 32;
    const int row0 = warp.n / WARP_ROWS * PASS_ROWS + lane % 4 * 2, col0 = warp.m + lane / 4;
#pragma unroll
    for (int j = 0; j < PASS_ATOMS; ++j) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            Sum* const to = staged + (row0 + j * MMA_N) * STAGED_PITCH + col0 + i * MMA_M;
#pragma unroll
            for (int band = 0; band < MMA_M / 8; ++band) {
                const Pair sums = pair(acc[i][pass * PASS_ATOMS + j], band);
                to[band * 8] = sums.first;
                to[STAGED_PITCH + band * 8] = sums.second;
            }
        }
    }
}
