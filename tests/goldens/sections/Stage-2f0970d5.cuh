// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Shared {
    union {
        Stage ring[STAGES];
        Sum staged[WARPS_K * STAGED_SUMS];
    };
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);
