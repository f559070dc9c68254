// Neighbours along m that a lane holds.
struct alignas(RUN_M * sizeof(Sum)) Run { Sum sums[RUN_M]; };
