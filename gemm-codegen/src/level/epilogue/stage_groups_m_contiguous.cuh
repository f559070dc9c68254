// Stages PASS_BANDS bands of 8 columns of every warpgroup, transposed: a staged row is one n. Of an
// atom a warp holds 16 rows, a lane two neighbours along n of rows lane / 4 and lane / 4 + 8.
// (PTX ISA, Register fragments for wgmma, D)
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int row0 = warp.n / WARP_ROWS * PASS_ROWS + lane % 4 * 2;
    const int col0 = warp.m + of_group * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < 4 * PASS_BANDS; ++j) {
            const int row = row0 + j / 4 * 8 + j % 2, col = col0 + i * MMA_M + j / 2 % 2 * 8;
            staged[row * STAGED_PITCH + col] = acc[i][4 * pass * PASS_BANDS + j];
        }
    }
}
