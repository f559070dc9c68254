//! Wrong uses of a cluster.

use thiserror::Error;

use super::access::Direction;
use super::text::other_text;

/// A wrong use of a cluster. Its blocks are numbered by their ranks. (PTX ISA, "barrier.cluster", "mapa"; CUDA C++
/// Programming Guide, "Distributed Shared Memory")
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClusterProblem {
    /// An address is asked for in a block that the cluster does not have.
    #[error("block {rank} of a cluster of {blocks}")]
    Rank {
        /// The rank.
        rank: u32,
        /// Blocks of the cluster.
        blocks: u32,
    },
    /// A copy to no block, or to one that the cluster does not have.
    #[error("multicast to the blocks of mask {mask:#x} of a cluster of {blocks}")]
    Mask {
        /// One bit for each block.
        mask: u32,
        /// Blocks of the cluster.
        blocks: u32,
    },
    /// A copy whose destination and mbarrier lie in different blocks.
    #[error("a copy to the shared memory of one block that completes on an mbarrier of another")]
    OtherBlock,
    /// The shared memory of a block is accessed that may not have started.
    #[error(
        "access to the shared memory of block {rank} of the cluster, with no barrier.cluster and no other order since it started"
    )]
    NotStarted {
        /// Its rank.
        rank: u32,
    },
    /// The shared memory of a block is accessed whose threads have all exited.
    #[error("access to the shared memory of block {rank} of the cluster, which has exited")]
    Exited {
        /// Its rank.
        rank: u32,
    },
    /// A block ends, and another one has accessed its shared memory with no order before that.
    #[error(
        "the block ends with no order after the {direction} at shared address {address:#x} by {} of another block",
        other_text(*.thread)
    )]
    Left {
        /// The byte in question.
        address: u64,
        /// The direction of that access.
        direction: Direction,
        /// Number of the thread within the cluster.
        thread: Option<u32>,
    },
    /// A block ends, and another one has arrived at an mbarrier in it with no order before that.
    #[error(
        "the block ends and nothing has waited at mbarrier {barrier:#x} for the arrival of thread {thread} of another block"
    )]
    ArrivalLeft {
        /// Address of the mbarrier.
        barrier: u64,
        /// Number of the thread within the cluster.
        thread: u32,
    },
    /// A thread arrives at the barrier of the cluster, and has not waited for its arrival before.
    #[error("barrier.cluster.arrive without barrier.cluster.wait since the arrival before")]
    ArrivesTwice,
    /// A thread waits at the barrier of the cluster, and has not arrived.
    #[error("barrier.cluster.wait without barrier.cluster.arrive")]
    WaitsUnarrived,
    /// Threads wait at the barrier of the cluster, and others do not come.
    #[error(
        "{waiting} threads have arrived at the barrier of the cluster, {expected} are expected; {} waits elsewhere",
        other_text(*.missing)
    )]
    NotReached {
        /// Threads that have arrived.
        waiting: u32,
        /// Threads that have not exited.
        expected: u32,
        /// Number within the cluster of the first thread that has not arrived.
        missing: Option<u32>,
    },
}
