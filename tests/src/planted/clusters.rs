//! Clusters: copies to both blocks, stages that both leave, and blocks that are there as long as they are
//! accessed.

use gemm_emulator::{ClusterProblem, MbarrierProblem, Violation, WarpgroupProblem};

use super::{BASE, Bug, violation};

const COPY: &str = "cp.async.bulk.tensor.2d";
const WAIT: &str = "mbarrier.try_wait.parity";

/// Two blocks along M share the tile of B and walk over tiles.
const WALK: Bug = BASE.golden("wgmma_cluster").shape([512, 256, 448]);

/// Two along N share the tile of A, which lies in panels, and have one tile each.
const ONE: Bug = BASE.golden("wgmma_cluster_n").shape([64, 128, 640]);

const EMPTY_WAIT: &str = "    mbarrier_wait_cluster(ring.empty + place.stage * 8, place.parity);\n";
const LEAVE: &str = "if (lane < CLUSTER) mbarrier_arrive_at(ring.empty + stage * 8, lane);";
const START: &str = "    cluster_sync();  // the barriers of both blocks are initialised\n";
const END: &str = "    cluster_sync();  // others copy to this block and arrive at its barriers\n";
const ARRIVE: &str = "                 \"fence.release.sync_restrict::shared::cta.cluster;\\n\\t\"
                 \"mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [remote];\\n\\t}\"";
const PLAIN: &str = "                 \"mbarrier.arrive.shared::cluster.b64 _, [remote];\\n\\t}\"";

pub(super) const BUGS: &[Bug] = &[
    WALK.bug("a warp's arrival releases to its own block alone")
        .edit(ARRIVE, PLAIN)
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY)
        .seen_in("multicast_box"),
    WALK.bug("the producer's wait acquires from its own block alone")
        .edit(EMPTY_WAIT, "    mbarrier_wait(ring.empty + place.stage * 8, place.parity);\n")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY)
        .seen_in("multicast_box"),
    ONE.bug("warps arrive twice at their own block in place of once at each")
        .edit(
            LEAVE,
            "if (lane < CLUSTER) mbarrier_arrive_at(ring.empty + stage * 8, cluster_rank());",
        )
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY)
        .seen_in("multicast_box"),
    WALK.bug("warps arrive at the first block alone")
        .edit(LEAVE, "if (lane == 0) mbarrier_arrive_at(ring.empty + stage * 8, lane);")
        .finds(violation!(MbarrierDeadlock { .. }))
        .at(WAIT)
        .seen_in("mbarrier_try_wait"),
    WALK.bug("a stage counts the warps of one block of two")
        .edit(
            "mbarrier_init(ring.empty + stage * 8, EMPTY_ARRIVALS);",
            "mbarrier_init(ring.empty + stage * 8, EMPTY_ARRIVALS / CLUSTER);",
        )
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at(COPY)
        .seen_in("copy_tile"),
    WALK.bug("blocks do not wait until both have initialised their barriers")
        .edit(START, "    __syncthreads();\n")
        .finds(violation!(Violation::Cluster(ClusterProblem::NotStarted { .. })))
        .at(COPY)
        .seen_in("multicast_box"),
    WALK.bug("a block ends while the other one arrives at its barriers")
        .edit(END, "")
        .finds(violation!(Violation::Cluster(ClusterProblem::ArrivalLeft { .. })))
        .at("ret"),
    ONE.bug("a block of one tile ends while the other one arrives at its barriers")
        .edit(END, "")
        .finds(violation!(Violation::Cluster(ClusterProblem::ArrivalLeft { .. })))
        .at("ret"),
    WALK.bug("the producer expects the bytes of its own copies alone")
        .edit(
            "mbarrier_arrive_expect(ring.full + stage * 8, STAGE_BYTES);",
            "mbarrier_arrive_expect(ring.full + stage * 8, STAGE_BYTES - TileB::BYTES / CLUSTER);",
        )
        .finds(violation!(TensorCopyInFlight { direction: Read, .. }))
        .at("wgmma.mma_async")
        .seen_in("wgmma"),
    WALK.bug("each producer copies its part to its own block alone")
        .edit(
            "constexpr unsigned short ALL = (1 << CLUSTER) - 1;",
            "const unsigned short ALL = 1 << cluster_rank();",
        )
        .finds(violation!(MbarrierDeadlock { .. }))
        .at(WAIT)
        .seen_in("mbarrier_try_wait"),
    ONE.bug("both producers copy the first part")
        .edit("const int first = cluster_rank() * ROWS;", "const int first = 0;")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at(COPY)
        .seen_in("multicast_box"),
    ONE.bug("a copy to a block that the cluster does not have")
        .edit("(1 << CLUSTER) - 1;", "(1 << CLUSTER + 1) - 1;")
        .finds(violation!(Violation::Cluster(ClusterProblem::Mask { .. })))
        .at(COPY)
        .seen_in("multicast_box"),
    ONE.bug("a producer copies before it knows that the stage is left")
        .edit(EMPTY_WAIT, "")
        .finds(violation!(Mbarrier { problem: MbarrierProblem::Arrivals { .. }, .. }))
        .at("mbarrier.arrive.expect_tx")
        .seen_in("mbarrier_arrive_expect"),
];
