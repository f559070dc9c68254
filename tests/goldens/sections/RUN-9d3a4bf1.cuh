// Stages PASS_ATOMS columns of atoms of every warp at the rows and columns of their lines,
// transposed: a staged row is one n. A lane holds RUN neighbours along m, one from each of RUN
// bands.
constexpr int RUN = TileA::INTERLEAVED;
struct alignas(RUN * sizeof(Sum)) Run { Sum sums[RUN]; };
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const int lane = threadIdx.x % 32;
    const int row0 = warp.n / WARP_ROWS * PASS_ROWS;
#pragma unroll
    for (int j = 0; j < PASS_ATOMS; ++j) {
#pragma unroll
        for (int neighbour = 0; neighbour < 2; ++neighbour) {
            const int row = row0 + line<TileB>(j, lane % 4 * 2 + neighbour);
#pragma unroll
            for (int band = 0; band < WARP_M / 8; band += RUN) {
                const Sum (&sums)[C_REGISTERS] =
                    acc[band / (MMA_M / 8)][pass * PASS_ATOMS + j];
                Run run;
#pragma unroll
                for (int i = 0; i < RUN; ++i) {
                    run.sums[i] = sums[2 * (band % (MMA_M / 8) + i) + neighbour];
                }
                const int col = warp.m + line<TileA>(band, lane / 4);
                *reinterpret_cast<Run*>(staged + row * STAGED_PITCH + col) = run;
            }
        }
    }
}
