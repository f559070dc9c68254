//! Clusters: copies to several blocks, stages that several release, and blocks that are there as long as they
//! are accessed.

use gemm_emulator::{ClusterProblem, MbarrierProblem, Violation, WarpgroupProblem};

use super::{BASE, Bug, WAIT, violation};

const COPY: &str = "cp.async.bulk.tensor.2d";

/// Two blocks along M share the tile of B and walk over tiles.
const WALK: Bug = BASE.golden("wgmma_cluster").shape([512, 256, 448]);

/// Two along N share the tile of A, which lies in panels, and have one tile each.
const ONE: Bug = BASE.golden("wgmma_cluster_n").shape([64, 128, 640]);

/// Eight share tiles of both: four along M one of B, two along N one of A.
const BOTH: Bug = BASE.golden("wgmma_cluster_both").shape([256, 512, 448]);

const EMPTY_WAIT: &str =
    "    mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);\n    mbarrier_arrive";
const RELEASE: &str =
    "if (lane < CLUSTER && fills) mbarrier_arrive_at(ring.empty_barrier(stage), lane);";
const FILLS: &str =
    "fills = lane % CLUSTER_M == rank % CLUSTER_M || lane / CLUSTER_M == rank / CLUSTER_M;";
const EMPTY_INIT: &str = "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);";
const MASK: &str = "return FROM_FIRST << (cluster_rank() - part_of<Tile>() * APART);";
const START: &str = "    cluster_meet();  // the barriers of all blocks are initialised\n";
const INIT_FENCE: &str =
    "    asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n";
const ACQUIRE: &str =
    "    asm volatile(\"fence.acquire.sync_restrict::shared::cluster.cluster;\" ::: \"memory\");\n";
const LAST_RELEASE: &str = "    wait_for_products(acc);\n    consumer_release(ring, last);\n";
const TAIL: &str = "            producer_tail(ring, state);\n";
const TAIL_STAGES: &str = "for (int stage = 0; stage < STAGES; ++stage, state.advance()) {";
const ARRIVE: &str = "                 \"fence.release.sync_restrict::shared::cta.cluster;\\n\\t\"
                 \"mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [remote];\\n\\t}\"";
const PLAIN: &str = "                 \"mbarrier.arrive.shared::cluster.b64 _, [remote];\\n\\t}\"";

pub(super) const BUGS: &[Bug] = &[
    WALK.bug("a warp's arrival releases to its own block alone")
        .edit(ARRIVE, PLAIN)
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    WALK.bug("the producer's wait acquires from its own block alone")
        .edit(
            EMPTY_WAIT,
            "    mbarrier_wait(ring.empty_barrier(state.stage), state.phase);\n    mbarrier_arrive",
        )
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    ONE.bug("warps arrive twice at their own block in place of once at each")
        .edit(
            RELEASE,
            "if (lane < CLUSTER) mbarrier_arrive_at(ring.empty_barrier(stage), cluster_rank());",
        )
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    WALK.bug("warps arrive at the first block alone")
        .edit(
            RELEASE,
            "if (lane == 0 && fills) mbarrier_arrive_at(ring.empty_barrier(stage), lane);",
        )
        .deadlocks(),
    WALK.bug("a stage counts the warps of one block of two")
        .edit(EMPTY_INIT, "mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS / CLUSTER);")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in(COPY, "copy_tile"),
    WALK.bug("blocks do not wait until all have initialised their barriers")
        .edit(START, "    __syncthreads();\n")
        .finds(violation!(Violation::Cluster(ClusterProblem::NotStarted { .. })))
        .at_in(COPY, "multicast_box"),
    WALK.bug("blocks meet without having released their barriers")
        .edit(INIT_FENCE, "")
        .finds(violation!(Race { direction: Write, other_direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    WALK.bug("the producer acquires nothing after its relaxed wait")
        .edit(ACQUIRE, "")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "copy_tile"),
    WALK.bug("a block ends while the other one arrives at its barriers")
        .edit(TAIL, "")
        .finds(violation!(Violation::Cluster(ClusterProblem::ArrivalLeft { .. })))
        .at("ret"),
    ONE.bug("a block of one tile ends while the other one arrives at its barriers")
        .edit(TAIL, "")
        .finds(violation!(Violation::Cluster(ClusterProblem::ArrivalLeft { .. })))
        .at("ret"),
    ONE.bug("a block ends before its last stage is released")
        .edit(TAIL_STAGES, "for (int stage = 1; stage < STAGES; ++stage, state.advance()) {")
        .finds(violation!(Violation::Cluster(ClusterProblem::ArrivalLeft { .. })))
        .at_in("ret", "wgmma_cluster_n"),
    ONE.bug("the stage of the last k-tile is not released, but the block waits for that")
        .edit(LAST_RELEASE, "    wait_for_products(acc);\n")
        .finds(violation!(MbarrierDeadlock { .. }))
        .at_in(WAIT, "producer_tail"),
    WALK.bug("the producer expects the bytes of its own copies alone")
        .edit_all(2, "), BOXES_BYTES);", "), BOXES_BYTES - TileB::BYTES / CLUSTER);")
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at_in("wgmma.mma_async", "wgmma"),
    WALK.bug("each producer copies its part to its own block alone")
        .edit(MASK, "return 1 << cluster_rank();")
        .deadlocks(),
    ONE.bug("both producers copy the first part")
        .edit("const int first = part_of<Tile>() * ROWS;", "const int first = 0;")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    ONE.bug("a copy to a block that the cluster does not have")
        .edit("((1 << Tile::SHARERS * APART) - 1) / ((1 << APART) - 1);", "(1 << CLUSTER + 1) - 1;")
        .finds(violation!(Violation::Cluster(ClusterProblem::Mask { .. })))
        .at_in(COPY, "multicast_box"),
    ONE.bug("a producer copies before it knows that the stage is released")
        .edit(EMPTY_WAIT, "    mbarrier_arrive")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::Arrivals { .. }, .. }))
        .at_in("mbarrier.arrive.expect_tx", "mbarrier_arrive_expect"),
    BOTH.bug("warps release the stages of the blocks of their column alone")
        .edit(FILLS, "fills = lane / CLUSTER_M == rank / CLUSTER_M;")
        .edit(
            EMPTY_INIT,
            "mbarrier_init(ring.empty_barrier(stage), CLUSTER_M * GROUPS_M * GROUPS_N * 4);",
        )
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    BOTH.bug("warps release the stages of all blocks of the cluster")
        .edit("lane < CLUSTER && fills", "lane < CLUSTER")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in(COPY, "multicast_box"),
    BOTH.bug("copies of A go to the blocks that multiply the same tile of B")
        .edit("barrier, sharers<Tile>());", "barrier, sharers<TileB>());")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    BOTH.bug("blocks along M are taken for ranks that are CLUSTER_N apart")
        .edit(
            "SHARERS = CLUSTER_M, RANKS_APART = 1;",
            "SHARERS = CLUSTER_M, RANKS_APART = CLUSTER_N;",
        )
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(COPY, "multicast_box"),
    BOTH.bug("a stage counts the warps of all blocks of the cluster")
        .edit(
            EMPTY_INIT,
            "mbarrier_init(ring.empty_barrier(stage), CLUSTER * GROUPS_M * GROUPS_N * 4);",
        )
        .deadlocks(),
];
