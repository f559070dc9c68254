//! The state of one mbarrier (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier").

use std::collections::VecDeque;

use crate::fault::MbarrierProblem;
use crate::program::Ordering;

/// The most arrivals of a phase, and the limit of its transaction count in bytes, of either sign.
pub(crate) const MOST: u32 = (1 << 20) - 1;

/// A tensor copy that has not landed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TensorLanding {
    pub(crate) address: u32,
    pub(crate) bytes: u32,
    /// The thread that started it, and where in the code.
    pub(crate) thread: u32,
    pub(crate) pc: u32,
    /// Whether it may land before a wait for it needs it.
    pub(crate) drifts: bool,
}

/// When a copy lands: what the hardware leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Haste {
    /// As soon as it has started.
    Now,
    /// At some wait of the block before it is needed, or then.
    Between,
    /// When a wait needs it.
    Late,
}

/// How a wait names a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Parity(u32),
    /// By its number.
    Number(u64),
}

/// The arrival of a thread at an mbarrier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MbarrierArrival {
    pub(crate) count: u32,
    /// Bytes that copies add to those this phase already expects.
    pub(crate) expected: u32,
    /// The phase must not complete by it.
    pub(crate) incomplete: bool,
    /// Whether what the thread did before comes before what those do that wait for the phase.
    pub(crate) ordering: Ordering,
}

/// Who waits for a phase, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiter {
    pub(crate) thread: u32,
    /// Whether what was released to the phase comes before what the thread does then.
    pub(crate) ordering: Ordering,
    /// Whether copies land until the phase completes; without, the wait sees the phase as it is.
    pub(crate) patient: bool,
}

pub(crate) struct MbarrierState {
    /// Arrivals that each phase takes.
    pub(crate) count: u32,
    /// Those that are still to come in this phase.
    pub(crate) pending: u32,
    /// Bytes that are still to come in this phase; negative if copies came before they were expected.
    pub(crate) transactions: i64,
    /// Number of the phase that is not complete, from 0.
    pub(crate) phase: u64,
    /// The thread that initialised it.
    pub(crate) owner: u32,
    /// Whether a fence has shown it to copies.
    pub(crate) shown: bool,
    /// The copies that complete their bytes on it, in the order in which they land if nothing lands them before.
    pub(crate) copies: VecDeque<TensorLanding>,
    /// Those that have landed, with their phase, until a thread has waited for it.
    pub(crate) landed: Vec<(u64, TensorLanding)>,
    /// Arrivals of other blocks in phases that no thread of its block has waited for: the last one of each thread.
    pub(crate) visits: Vec<Visit>,
}

/// The arrival of a thread of another block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) thread: u32,
    pub(crate) phase: u64,
    pub(crate) time: u32,
}

impl MbarrierState {
    pub(crate) fn new(count: u32, owner: u32) -> Result<MbarrierState, MbarrierProblem> {
        if !(1..=MOST).contains(&count) {
            return Err(MbarrierProblem::Count { count });
        }
        let (copies, landed, visits) = (VecDeque::new(), Vec::new(), Vec::new());
        let (pending, transactions, phase, shown) = (count, 0, 0, false);
        Ok(MbarrierState {
            count,
            pending,
            transactions,
            phase,
            owner,
            shown,
            copies,
            landed,
            visits,
        })
    }

    /// A thread of the block has waited for the last complete phase.
    pub(crate) fn observe(&mut self) {
        let phase = self.phase;
        self.visits.retain(|visit| visit.phase >= phase);
        self.landed.retain(|(landed, _)| *landed >= phase);
    }

    /// Counts bytes that are expected, or that came if negative.
    pub(crate) fn transact(&mut self, bytes: i64) -> Result<(), MbarrierProblem> {
        self.transactions += bytes;
        if self.transactions.abs() > i64::from(MOST) {
            return Err(MbarrierProblem::Transactions { bytes: self.transactions });
        }
        Ok(())
    }

    /// Counts arrivals.
    pub(crate) fn arrive(&mut self, arrival: MbarrierArrival) -> Result<(), MbarrierProblem> {
        let MbarrierArrival { count, expected, incomplete, .. } = arrival;
        let (pending, phase) = (self.pending, self.phase);
        if count == 0 || count > pending {
            return Err(MbarrierProblem::Arrivals { count, pending, phase });
        }
        self.transact(expected.into())?;
        self.pending -= count;
        if incomplete && self.pending == 0 {
            return Err(MbarrierProblem::Completed { phase });
        }
        Ok(())
    }

    /// Begins the next phase if this one is complete; whether it was.
    pub(crate) fn turn(&mut self) -> bool {
        let complete = self.pending == 0 && self.transactions == 0;
        if complete {
            self.phase += 1;
            self.pending = self.count;
        }
        complete
    }

    /// Whether a phase is complete.
    pub(crate) fn has_passed(&self, phase: Phase) -> Result<bool, MbarrierProblem> {
        match phase {
            Phase::Parity(parity) => Ok(self.phase & 1 != u64::from(parity)),
            Phase::Number(number) if number > self.phase || self.phase - number > 1 => {
                Err(MbarrierProblem::OtherPhase { asked: number, phase: self.phase })
            }
            Phase::Number(number) => Ok(number < self.phase),
        }
    }
}
