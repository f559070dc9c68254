//! Clusters that share a tile: who writes to whom, when, and who stores which columns.

use gemm_emulator::{ClusterProblem, Violation, WarpgroupProblem};

use super::{BASE, Bug, violation};

const SEND: &str = "st.shared::cluster.v4";

/// Two blocks of one warpgroup each, whose rings are filled a second time.
const PAIR: Bug = BASE.golden("wgmma_split").shape([64, 128, 640]);

/// Four of two warpgroups each.
const FOUR: Bug = BASE.golden("wgmma_split_bytes").shape([128, 96, 1024]);

const READ: &str = "    cluster_meet();  // every block has read its ring\n";
const ARRIVED: &str =
    "    cluster_sync();  // all parts are there, and no block accesses another one after that\n";
const RELEASE: &str = "    release_shared();\n";
const RING: &str = "    const Ring ring(shared);\n";
const REDUCE: &str = "    reduce(acc, shared, cluster_rank());\n";

pub(super) const BUGS: &[Bug] = &[
    PAIR.bug("a block sends its sums before it knows that the other one has started")
        .edit(READ, "")
        .finds(violation!(Violation::Cluster(ClusterProblem::NotStarted { .. })))
        .at_in(SEND, "store_at_rank"),
    PAIR.bug("a block sends its sums while the other one multiplies")
        .edit(READ, "")
        .edit(RING, "    cluster_meet();\n    const Ring ring(shared);\n")
        .finds(violation!(Warpgroup(WarpgroupProblem::Overwritten { .. })))
        .at_in(SEND, "store_at_rank"),
    PAIR.bug("blocks meet without having released what their rings hold")
        .edit(RELEASE, "")
        .finds(violation!(TensorCopyInFlight { direction: Write, .. }))
        .at_in(SEND, "store_at_rank"),
    PAIR.bug("a block adds up what has not arrived")
        .edit(ARRIVED, "")
        .finds(violation!(Race { direction: Write, other_direction: Read, .. }))
        .at_in(SEND, "store_at_rank"),
    PAIR.bug("blocks arrive at the barriers of the cluster without releasing what they sent")
        .edit("barrier.cluster.arrive.release;", "barrier.cluster.arrive.relaxed;")
        .finds(violation!(Race { direction: Read, other_direction: Write, .. }))
        .at_in("ld.shared.v4", "reduce"),
    PAIR.bug("a block without k-tiles exits before it has received sums")
        .shape([64, 128, 64])
        .edit(REDUCE, "    if (part.k == 0) return;\n    reduce(acc, shared, cluster_rank());\n")
        .finds(violation!(Violation::Cluster(ClusterProblem::Exited { .. })))
        .at_in(SEND, "store_at_rank"),
    PAIR.bug("every block stores the columns of the first one")
        .edit("cluster_rank() * STORED_N", "0 * STORED_N")
        .finds(violation!(BlockRace { direction: Write, .. }))
        .at_in("cp.async.bulk.tensor.2d.global", "shared_to_global"),
    FOUR.bug("all blocks send their sums to one place")
        .edit("shared.received[rank - (rank > to)]", "shared.received[0]")
        .finds(violation!(Race { direction: Write, .. }))
        .at_in(SEND, "store_at_rank"),
    FOUR.bug("a warpgroup stages where the other one reads what it has received")
        .edit("    consumers_sync();  // the ring has been read\n", "")
        .finds(violation!(Race { .. }))
        .at_in("st.shared", "stage"),
];
