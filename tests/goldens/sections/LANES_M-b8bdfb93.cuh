// The lanes of a warp: each has LANE_M x LANE_N sums of an atom, in runs of neighbours. The
// runs of the lanes are interleaved.
constexpr int LANES_M = 4, LANES_N = 8;
constexpr int LANE_M = 8, LANE_N = 8, RUN_M = 2, RUN_N = 2;
constexpr int RUNS_M = WARP_M / (LANES_M * RUN_M), RUNS_N = WARP_N / (LANES_N * RUN_N);
