// Shared memory of a block. The epilogue stages while the ring is filled for the next tile.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
struct SlabBarriers { unsigned long long fetched[MOVERS][PLACES], written[MOVERS][PLACES]; };
struct Shared {
    Stage ring[STAGES];
    Staged staged[STAGED_ELEMENTS];
    SlabBarriers slabs;
    Barriers barriers;
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);
constexpr unsigned BARRIERS_OFFSET = sizeof(Shared) - sizeof(Shared::barriers);
// The arrivals that complete a phase: at `full`, with the bytes of a stage, of the thread that
// copies, at `empty` of a lane of each warp that multiplies the stage.
constexpr unsigned FULL_ARRIVALS = 1;
constexpr unsigned EMPTY_ARRIVALS = (CLUSTER_M + CLUSTER_N - 1) * GROUPS_M * GROUPS_N * 4;
// The plan has enumerated the boxes that land in a stage and the threads that arrive.
