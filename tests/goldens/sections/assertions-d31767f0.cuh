static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, "warps and atoms tile BLK_M");
static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, "warps and atoms tile BLK_N");
static_assert(WARP_K % UNIT == 0, "a stage has whole units");
static_assert(STAGES >= 2 && THREADS <= 1024, "a ring, and a legal block");
