// Shared memory of a block, with a ring for the warps at each place along k. The epilogue stages
// where the rings are, which are idle by then.
struct Shared {
    union {
        Stage rings[WARPS_K][STAGES];
        Sum staged[WARPS_K * STAGED_SUMS];
    };
    Barriers barriers[WARPS_K];
};
