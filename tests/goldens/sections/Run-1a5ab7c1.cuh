// Neighbours along n that a lane holds.
struct alignas(RUN_N * sizeof(Sum)) Run { Sum sums[RUN_N]; };
