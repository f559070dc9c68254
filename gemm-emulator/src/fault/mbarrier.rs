//! Wrong uses of mbarriers.

use std::fmt;

use thiserror::Error;

/// A wrong use of an mbarrier (PTX ISA, "Parallel Synchronization and Communication Instructions:
/// mbarrier").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MbarrierProblem {
    /// Nothing has initialised it.
    #[error("was not initialised")]
    NotInitialized,
    /// It is initialised again without having been invalidated.
    #[error("is initialised a second time")]
    InitializedTwice,
    /// The count given to `mbarrier.init` is out of range.
    #[error("is initialised with {count} arrivals; it takes 1 to 1048575")]
    Count {
        /// It.
        count: u32,
    },
    /// More arrivals than its phase takes, or none.
    #[error("{count} arrivals where phase {phase} takes {pending} more")]
    Arrivals {
        /// Arrivals of this instruction.
        count: u32,
        /// Arrivals that are still to come.
        pending: u32,
        /// Number of the phase, from 0.
        phase: u64,
    },
    /// `mbarrier.arrive.noComplete` is the last arrival of its phase.
    #[error("the last arrival of phase {phase}, which was not to complete it")]
    Completed {
        /// Number of the phase, from 0.
        phase: u64,
    },
    /// Too many bytes are expected, or came without being expected.
    #[error("{bytes} B of transactions; it takes -1048575 to 1048575")]
    Transactions {
        /// Bytes expected less those that came.
        bytes: i64,
    },
    /// A wait by the state of an arrival that is neither of this phase nor of the one before.
    #[error("a wait for phase {asked} in phase {phase}")]
    OtherPhase {
        /// Number of the phase waited for, from 0.
        asked: u64,
        /// Number of the phase that is not complete.
        phase: u64,
    },
    /// A copy uses it, but its thread has executed no fence since it initialised it: neither
    /// `fence.mbarrier_init` nor `fence.proxy.async`.
    #[error("is used by a copy with no fence since thread {owner} initialised it")]
    NotShown {
        /// Number of the thread within its block.
        owner: u32,
    },
    /// Its bytes are loaded, stored or copied to.
    #[error("its bytes are touched by something else than mbarrier instructions")]
    Touched,
    /// It is invalidated while copies are to tell it of their bytes.
    #[error("is invalidated before the copies to it have landed")]
    InUse,
}

/// Threads that wait for a phase of an mbarrier that never completes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PhaseWait {
    /// Its address in shared memory.
    pub barrier: u64,
    /// The parity of the phase that is waited for.
    pub parity: u32,
    /// How many threads wait.
    pub threads: u32,
    /// Arrivals that are still to come in the phase that is not complete.
    pub missing_arrivals: u32,
    /// Arrivals that each phase takes.
    pub arrivals: u32,
    /// Bytes that copies are still to bring in that phase; negative if more came than were expected.
    pub missing_bytes: i64,
}

impl fmt::Display for PhaseWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PhaseWait { barrier, parity, threads, missing_arrivals, arrivals, missing_bytes } =
            self;
        write!(f, "{threads} at mbarrier {barrier:#x} for a phase of parity {parity}")?;
        write!(f, " ({missing_arrivals} of {arrivals} arrivals and {missing_bytes} B are missing)")
    }
}

/// Threads that wait at a barrier of the block that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BarrierWait {
    /// Number of the barrier.
    pub barrier: u32,
    /// How many threads have arrived.
    pub arrived: u32,
    /// How many it takes.
    pub expected: u32,
}

impl fmt::Display for BarrierWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BarrierWait { barrier, arrived, expected } = self;
        write!(f, "{arrived} at barrier {barrier}, which takes {expected}")
    }
}

/// The waits of a deadlock, as the end of a sentence.
pub(super) fn waits_text(waits: &[PhaseWait], barriers: &[BarrierWait]) -> String {
    let waits = waits.iter().map(PhaseWait::to_string);
    let waits: Vec<String> = waits.chain(barriers.iter().map(BarrierWait::to_string)).collect();
    waits.join("; ")
}
