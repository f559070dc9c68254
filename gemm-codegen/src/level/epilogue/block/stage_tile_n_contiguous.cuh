// Neighbours along n that a lane holds.
struct alignas(RUN_N * sizeof(Sum)) Run { Sum sums[RUN_N]; };

// Stages PASS_RUNS runs of rows of every lane, a run of neighbours along n at a time.
#if EXCHANGED
// Each pair of neighbours is swapped: ptxas keeps a run in consecutive registers as it is stored,
// and so puts each sum into the register bank, even or odd, that its factor of B is not in.
#endif
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const Lane at = lane();
    const int row0 = warp.m / WARP_ROWS * PASS_ROWS + at.m * RUN_M, col0 = warp.n + at.n * RUN_N;
#pragma unroll
    for (int i = 0; i < PASS_RUNS * RUN_M; ++i) {
        const int m = pass * PASS_RUNS * RUN_M + i;  // of the lane's rows
        const int row = row0 + i / RUN_M * (LANES_M * RUN_M) + i % RUN_M;
#pragma unroll
        for (int run = 0; run < RUNS_N; ++run) {
            Run along;
#pragma unroll
            for (int j = 0; j < RUN_N; ++j) {
                const int n = run * RUN_N + j;  // of the lane's columns
#if EXCHANGED
                along.sums[j ^ 1] = acc[m / LANE_M][n / LANE_N][m % LANE_M * LANE_N + n % LANE_N];
#else
                along.sums[j] = acc[m / LANE_M][n / LANE_N][m % LANE_M * LANE_N + n % LANE_N];
#endif
            }
            const int col = col0 + run * (LANES_N * RUN_N);
            *reinterpret_cast<Run*>(staged + row * STAGED_PITCH + col) = along;
        }
    }
}
