//! What can be wrong with an access to shared memory.

use crate::fault::MbarrierProblem;
use crate::memory::cluster_address;
use crate::memory::race::Race;

impl SharedProblem {
    /// As it is seen from another block than that of this rank: with addresses of the cluster.
    pub(crate) fn of_block(mut self, rank: u32) -> SharedProblem {
        match &mut self {
            SharedProblem::Outside => {}
            SharedProblem::Race(Race { at, copy: barrier, .. }) => {
                *at = moved(rank, *at);
                *barrier = barrier.map(|barrier| moved(rank, barrier));
            }
            SharedProblem::TensorInFlight { at, barrier, .. } => {
                (*at, *barrier) = (moved(rank, *at), moved(rank, *barrier));
            }
            SharedProblem::NeverWritten { at }
            | SharedProblem::InFlight { at, .. }
            | SharedProblem::NotPublished { at, .. }
            | SharedProblem::Multiplying { at, .. }
            | SharedProblem::Storing { at, .. }
            | SharedProblem::Mbarrier { barrier: at, .. } => *at = moved(rank, *at),
        }
        self
    }
}

fn moved(rank: u32, at: u32) -> u32 {
    cluster_address(rank, at.into()) as u32
}

/// A problem of an access to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedProblem {
    Outside,
    NeverWritten {
        at: u32,
    },
    /// Asynchronously copied by `thread` and not waited for.
    InFlight {
        at: u32,
        thread: u32,
    },
    /// Waited for by `thread`, but no barrier since.
    NotPublished {
        at: u32,
        thread: u32,
    },
    Race(Race),
    /// A tensor is being copied there, as the mbarrier is to be told; `thread` has started it.
    TensorInFlight {
        at: u32,
        thread: u32,
        barrier: u32,
    },
    /// A multiplication of the warpgroup reads it, with no order after a wait for that one.
    Multiplying {
        at: u32,
        warpgroup: u32,
    },
    /// As before, a tensor store of the thread.
    Storing {
        at: u32,
        thread: u32,
    },
    Mbarrier {
        barrier: u32,
        problem: MbarrierProblem,
    },
}
