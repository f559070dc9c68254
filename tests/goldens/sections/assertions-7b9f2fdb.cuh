static_assert(LANES_M * LANE_M == MMA_M && LANES_N * LANE_N == MMA_N, "lanes tile an atom");
static_assert(LANE_M % RUN_M == 0 && LANE_N % RUN_N == 0, "runs tile a lane");
