// Stages PASS_ATOMS columns of atoms of every warp, transposed: a staged row is one n.
__device__ __forceinline__ void stage(
    float* staged, const float (&acc)[ATOMS_M][ATOMS_N][4], Warp warp, int pass) {
    const int lane = threadIdx.x % 32;
    const int row0 = warp.n / WARP_ROWS * PASS_ROWS + lane % 4 * 2, col0 = warp.m + lane / 4;
#pragma unroll
    for (int j = 0; j < PASS_ATOMS; ++j) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            const float(&c)[4] = acc[i][pass * PASS_ATOMS + j];
            float* const to = staged + (row0 + j * MMA_N) * STAGED_PITCH + col0 + i * MMA_M;
            to[0] = c[0];
            to[STAGED_PITCH] = c[1];
            to[8] = c[2];
            to[STAGED_PITCH + 8] = c[3];
        }
    }
}
