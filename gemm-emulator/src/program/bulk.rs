//! Instructions on mbarriers, and the copies that complete their phases.

use super::parts::AddressRegister;
use crate::ptx::Space;

/// An instruction on an mbarrier.
#[derive(Debug)]
pub(crate) struct Mbarrier {
    pub(crate) op: MbarrierOp,
    /// Shared, or generic.
    pub(crate) space: Space,
    pub(crate) address: AddressRegister,
    pub(crate) offset: i64,
}

/// What is done to an mbarrier; numbers are in word registers unless said otherwise.
#[derive(Debug)]
pub(crate) enum MbarrierOp {
    Initialize {
        count: u32,
    },
    Invalidate,
    Arrive {
        /// Bytes by which to raise the transaction count first.
        expected: Option<u32>,
        count: u32,
        /// A long register for the state before.
        state: u32,
        /// The phase must not complete by it.
        incomplete: bool,
        /// Whether it orders what the thread did before.
        releases: bool,
    },
    Expect {
        bytes: u32,
    },
    Wait {
        phase: PhaseName,
        /// A predicate register.
        d: u32,
        /// Whether it may be held until the phase completes.
        holds: bool,
        /// Whether it orders what the thread does afterwards.
        acquires: bool,
    },
}

/// How a wait names the phase it is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PhaseName {
    /// A word register with the phase's parity.
    Parity(u32),
    /// A long register with the state of an arrival.
    State(u32),
}

/// `cp.async.bulk.tensor` from global to shared memory.
#[derive(Debug)]
pub(crate) struct TensorCopy {
    pub(crate) to: AddressRegister,
    pub(crate) to_offset: i64,
    /// Where the map lies.
    pub(crate) map_space: Space,
    pub(crate) map: AddressRegister,
    pub(crate) map_offset: i64,
    /// A word register for each dimension, the contiguous one first.
    pub(crate) coordinates: Vec<u32>,
    /// The mbarrier on which the bytes complete.
    pub(crate) barrier: AddressRegister,
    pub(crate) barrier_offset: i64,
}
