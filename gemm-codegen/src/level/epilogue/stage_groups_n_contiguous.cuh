// Stages PASS_ATOMS atoms of every warpgroup: a warp holds 16 rows of each, a lane two neighbours
// along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
struct alignas(2 * sizeof(Sum)) Pair { Sum first, second; };
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int row0 = warp.m / WARP_ROWS * PASS_ROWS + of_group * 16 + lane / 4;
    const int col0 = warp.n + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < PASS_ATOMS; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; j += 2) {
            const int row = row0 + i * MMA_M + j / 2 % 2 * 8, col = col0 + j / 4 * 8;
            const Sum* const sums = &acc[pass * PASS_ATOMS + i][j];
            *reinterpret_cast<Pair*>(staged + row * STAGED_PITCH + col) = Pair{sums[0], sums[1]};
        }
    }
}
