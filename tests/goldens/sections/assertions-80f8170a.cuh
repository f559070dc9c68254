static_assert(GROUPS_M * ATOMS_M * MMA_M == BLK_M, "warpgroups and atoms tile BLK_M");
static_assert(GROUPS_N * MMA_N == BLK_N, "warpgroups tile BLK_N");
static_assert(BLK_K % UNIT == 0, "a stage has whole units");
