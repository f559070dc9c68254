//! Instructions on mbarriers, and the copies that complete their phases.

use super::order::Ordering;
use super::parts::Address;
use crate::ptx::Space;

/// An instruction on an mbarrier.
#[derive(Debug)]
pub(crate) struct Mbarrier {
    pub(crate) op: MbarrierOp,
    /// Shared, of the cluster, or generic.
    pub(crate) space: Space,
    pub(crate) address: Address,
}

/// An operation on an mbarrier; numbers are in word registers unless said otherwise.
#[derive(Debug)]
pub(crate) enum MbarrierOp {
    /// With the count of arrivals.
    Initialize(u32),
    Invalidate,
    Arrive(MbarrierArrive),
    /// With the count of bytes.
    Expect(u32),
    Wait(MbarrierWait),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct MbarrierArrive {
    /// Bytes by which to raise the transaction count first.
    pub(crate) expected: Option<u32>,
    pub(crate) count: u32,
    /// A long register for the state before.
    pub(crate) state: u32,
    /// The phase must not complete by it.
    pub(crate) incomplete: bool,
    pub(crate) ordering: Ordering,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct MbarrierWait {
    pub(crate) phase: PhaseName,
    /// A predicate register.
    pub(crate) d: u32,
    /// Whether it may be held until the phase completes.
    pub(crate) holds: bool,
    pub(crate) ordering: Ordering,
}

/// How a wait names its phase.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PhaseName {
    /// A word register with the phase's parity.
    Parity(u32),
    /// A long register with the state of an arrival.
    State(u32),
}

/// `cp.async.bulk` or `cp.async.bulk.tensor` from global to shared memory.
#[derive(Debug)]
pub(crate) struct TensorCopy {
    pub(crate) to: Address,
    pub(crate) from: CopySource,
    /// The mbarrier on which the bytes complete.
    pub(crate) barrier: Address,
    /// A word register with one bit for each block of the cluster that it copies to.
    pub(crate) multicast: Option<u32>,
}

/// What a bulk copy reads.
#[derive(Debug)]
pub(crate) enum CopySource {
    Box(TensorBox),
    /// Consecutive bytes, with a word register for their number.
    Bytes(Address, u32),
}

/// `cp.async.bulk.tensor` from shared to global memory.
#[derive(Debug)]
pub(crate) struct TensorStore {
    pub(crate) from: Address,
    pub(crate) to: TensorBox,
}

/// A box of a tensor in global memory.
#[derive(Debug)]
pub(crate) struct TensorBox {
    /// Where the map lies.
    pub(crate) map_space: Space,
    pub(crate) map: Address,
    /// A word register for each dimension, the contiguous one first.
    pub(crate) coordinates: Vec<u32>,
}

/// `cp.async.bulk.wait_group`: waits until at most this number of the newest groups of tensor stores are in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BulkWait {
    pub(crate) groups: u32,
    /// Only until the others have read shared memory.
    pub(crate) reads: bool,
}
