// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
struct Shared {
    union {
        Stage ring[STAGES];
        Sum staged[WARPS_K * STAGED_SUMS];
    };
    Barriers barriers[WARPS_K];
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);
constexpr unsigned BARRIERS_OFFSET = sizeof(Shared) - sizeof(Shared::barriers);
// The arrivals that complete a phase: at `full`, with the bytes of a stage, of the thread that
// copies, at `empty` of a lane of each warp that multiplies the stage.
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = WARPS_M * WARPS_N;
// The plan has enumerated the boxes that land in a stage and the threads that arrive.
