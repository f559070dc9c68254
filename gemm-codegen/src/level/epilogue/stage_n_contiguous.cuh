// Stages PASS_ATOMS rows of atoms of every warp: a lane holds two neighbours along n.
__device__ __forceinline__ void stage(
    float* staged, const float (&acc)[ATOMS_M][ATOMS_N][4], Warp warp, int pass) {
    const int lane = threadIdx.x % 32;
    const int row0 = warp.m / WARP_ROWS * PASS_ROWS + lane / 4, col0 = warp.n + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < PASS_ATOMS; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
            const float(&c)[4] = acc[pass * PASS_ATOMS + i][j];
            float* const to = staged + (row0 + i * MMA_M) * STAGED_PITCH + col0 + j * MMA_N;
            *reinterpret_cast<float2*>(to) = make_float2(c[0], c[1]);
            *reinterpret_cast<float2*>(to + 8 * STAGED_PITCH) = make_float2(c[2], c[3]);
        }
    }
}
