// Stages PASS_ATOMS rows of atoms of every warp at the rows and columns of their lines: a lane
// holds RUN neighbours along n, from INTERLEAVED atoms.
constexpr int RUN = 2 * TileB::INTERLEAVED;
struct alignas(RUN * sizeof(Sum)) Run { Sum sums[RUN]; };
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const int lane = threadIdx.x % 32;
    const int row0 = warp.m / WARP_ROWS * PASS_ROWS;
#pragma unroll
    for (int band = 0; band < PASS_ROWS / 8; ++band) {
        const int row = row0 + line<TileA>(band, lane / 4), in_atom = band % (MMA_M / 8);
        const Sum (&sums)[ATOMS_N][C_REGISTERS] = acc[pass * PASS_ATOMS + band / (MMA_M / 8)];
#pragma unroll
        for (int j = 0; j < ATOMS_N; j += TileB::INTERLEAVED) {
            Run run;
#pragma unroll
            for (int i = 0; i < RUN; ++i) {
                const int atom = j + i % TileB::INTERLEAVED, of_line = i / TileB::INTERLEAVED;
                run.sums[i] = sums[atom][2 * in_atom + of_line];
            }
            const int col = warp.n + line<TileB>(j, lane % 4 * 2);
            *reinterpret_cast<Run*>(staged + row * STAGED_PITCH + col) = run;
        }
    }
}
