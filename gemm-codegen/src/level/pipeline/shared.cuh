#if APART
// Shared memory of a block. The epilogue stages while the ring is filled for the next tile.
#else
// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
#endif
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
#if BARRIERS
struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
#endif
#if FETCHED
struct SlabBarriers { unsigned long long fetched[MOVERS][PLACES], written[MOVERS][PLACES]; };
#endif
struct Shared {
#if APART
    Stage ring[STAGES];
    Staged staged[STAGED_ELEMENTS];
#else
    union {
#if RINGS
        Stage ring[WARPS_K][STAGES];
#else
        Stage ring[STAGES];
#endif
#if PLANES
        Sum staged[WARPS_K * STAGED_SUMS];
#else
        Staged staged[STAGED_ELEMENTS];
#endif
#if RECEIVES
        Sum received[SPLITS - 1][BLK_M * BLK_N / SPLITS];  // from the other blocks of the cluster
#endif
    };
#endif
#if FETCHED
    SlabBarriers slabs;
#endif
#if BARRIERS
#if PLANES
    Barriers barriers[WARPS_K];
#else
    Barriers barriers;
#endif
#endif
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);
#if BARRIERS
constexpr unsigned BARRIERS_OFFSET = sizeof(Shared) - sizeof(Shared::barriers);
// The arrivals that complete a phase: at `full`, with the bytes of a stage, of the thread that
// copies, at `empty` of a lane of each warp that multiplies the stage.
#if PLANES
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = WARPS_M * WARPS_N;
#else
#if CLUSTERED
constexpr unsigned FULL_ARRIVALS = 1;
constexpr unsigned EMPTY_ARRIVALS = (CLUSTER_M + CLUSTER_N - 1) * GROUPS_M * GROUPS_N * 4;
#else
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = GROUPS_M * GROUPS_N * 4;
#endif
#endif
#endif
