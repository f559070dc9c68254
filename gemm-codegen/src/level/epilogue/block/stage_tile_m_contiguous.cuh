// Neighbours along m that a lane holds.
struct alignas(RUN_M * sizeof(Sum)) Run { Sum sums[RUN_M]; };

// Stages PASS_RUNS runs of columns of every lane, transposed: a staged row is one n, stored a run
// of neighbours along m at a time.
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const Lane at = lane();
    const int row0 = warp.n / WARP_ROWS * PASS_ROWS + at.n * RUN_N, col0 = warp.m + at.m * RUN_M;
#pragma unroll
    for (int j = 0; j < PASS_RUNS * RUN_N; ++j) {
        const int n = pass * PASS_RUNS * RUN_N + j;  // of the lane's columns
        const int row = row0 + j / RUN_N * (LANES_N * RUN_N) + j % RUN_N;
#pragma unroll
        for (int run = 0; run < RUNS_M; ++run) {
            Run along;
#pragma unroll
            for (int i = 0; i < RUN_M; ++i) {
                const int m = run * RUN_M + i;  // of the lane's rows
                along.sums[i] = acc[m / LANE_M][n / LANE_N][m % LANE_M * LANE_N + n % LANE_N];
            }
            const int col = col0 + run * (LANES_M * RUN_M);
            *reinterpret_cast<Run*>(staged + row * STAGED_PITCH + col) = along;
        }
    }
}
