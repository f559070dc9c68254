//! The events of a block's pipeline: copies, barrier phases, waits, products.
//!
//! # Steps
//!
//! An [`Event`] has a step. A warp's step grows by one with each instruction that it executes. Where it waits, its step
//! is raised to that of the event it waits for, so that warps run next to each other and an event never precedes its
//! cause. Two durations are given, not found: a copy takes [`TraceOptions::copy_steps`], and a `wgmma` as many steps as
//! each of its warps would need instructions of `mma.sync`, one for each 8 columns. A step is neither a cycle nor a
//! time: it orders events and shows what overlaps.

mod access;
mod tracer;

pub use access::{Access, AccessKind, AccessPart};
pub(crate) use tracer::{Agent, Tracer};

/// What to trace, see [`Launch::trace`](crate::Launch::trace).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// Number of a block in its grid, x first. The blocks of its cluster are traced with it.
    pub block: u64,
    /// Steps from the request of an asynchronous copy to its completion.
    pub copy_steps: u64,
    /// Whether to record [`Trace::accesses`].
    pub accesses: bool,
}

impl Default for TraceOptions {
    /// Block 0, copies that take 200 steps, no accesses.
    fn default() -> TraceOptions {
        TraceOptions { block: 0, copy_steps: 200, accesses: false }
    }
}

/// The events of a cluster, or of a single block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// Rank of the block that was asked for.
    pub rank: u32,
    /// By step; those of one step in the order of their execution.
    pub events: Vec<Event>,
    /// What each instruction accesses when a warp first executes it; empty unless [`TraceOptions::accesses`] asks for
    /// it.
    pub accesses: Vec<Access>,
}

/// Something that happened in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When, in the [steps](self) of its warp.
    pub step: u64,
    /// Rank in its cluster of the block to which it happened.
    pub block: u32,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// A thread of a warp has requested a bulk or tensor copy to the block, or a warp copies by `cp.async`.
    CopyRequested {
        /// The block and warp that requested it.
        by: WarpId,
        /// Number of the copy in this trace.
        copy: u64,
        /// Bytes that it writes.
        bytes: u32,
        /// Where it writes: for `cp.async` from the first to the last byte of the warp's lanes.
        to: SharedRange,
        /// Address of the mbarrier that counts its bytes; none for `cp.async`.
        barrier: Option<u32>,
    },
    /// The bytes of a copy are in shared memory.
    CopyCompleted {
        /// Its number.
        copy: u64,
    },
    /// A warp has closed a group of `cp.async` copies.
    CopiesCommitted {
        /// Number of the warp.
        warp: u32,
    },
    /// All arrivals and bytes of a phase of an mbarrier have come.
    PhaseCompleted {
        /// Address of the mbarrier.
        barrier: u32,
        /// Number of the phase, from 0.
        phase: u64,
    },
    /// A warp has come to a wait.
    WaitBegun {
        /// Number of the warp.
        warp: u32,
        /// What it waits for.
        wait: Wait,
    },
    /// A warp has passed a wait.
    WaitOver {
        /// Number of the warp.
        warp: u32,
        /// What it has waited for.
        wait: Wait,
    },
    /// A warpgroup has issued a `wgmma`.
    ProductIssued {
        /// Number of the warpgroup.
        warpgroup: u32,
        /// Number of the product in its block.
        product: u64,
        /// What it reads in shared memory: A, unless that is in registers, and B.
        reads: Vec<SharedRange>,
    },
    /// A `wgmma` has read its operands and written its accumulators.
    ProductCompleted {
        /// Its number.
        product: u64,
    },
    /// A warp has loaded from shared memory, by `ld.shared` or `ldmatrix`. Loads of overlapping ranges with no wait
    /// between are one event.
    Loaded {
        /// Number of the warp.
        warp: u32,
        /// Step of the first load.
        since: u64,
        /// From the first to the last byte.
        from: SharedRange,
    },
    /// The same of stores, by `st.shared` or `stmatrix`.
    Stored {
        /// Number of the warp.
        warp: u32,
        /// Step of the first store.
        since: u64,
        /// From the first to the last byte.
        to: SharedRange,
    },
    /// A thread of a warp has requested a tensor store.
    StoreRequested {
        /// Number of the warp.
        warp: u32,
        /// Number of the store in its block.
        store: u64,
        /// What it reads in shared memory.
        from: SharedRange,
    },
    /// A tensor store has read shared memory, as a wait for it knows.
    StoreRead {
        /// Its number.
        store: u64,
    },
    /// All threads of a barrier of the block have arrived.
    BarrierCompleted {
        /// Number of the barrier.
        barrier: u32,
    },
}

/// A wait of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wait {
    /// For a phase of an mbarrier.
    Phase {
        /// Address of the mbarrier.
        barrier: u32,
        /// Parity of the phase.
        parity: u32,
    },
    /// Until at most this many groups of `cp.async` copies are in flight.
    Copies(u32),
    /// Until at most this many groups of `wgmma` are in flight.
    Products(u32),
    /// Until at most this many groups of tensor stores still read shared memory.
    Stores(u32),
    /// At a barrier of the block.
    Barrier(u32),
    /// At the barrier of the cluster.
    Cluster,
}

/// A warp of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WarpId {
    /// Rank of its block.
    pub block: u32,
    /// Number in its block.
    pub warp: u32,
}

/// Bytes of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedRange {
    /// The first.
    pub address: u32,
    /// How many.
    pub bytes: u32,
}

impl SharedRange {
    /// The byte after the last.
    pub fn end(self) -> u32 {
        self.address.saturating_add(self.bytes)
    }

    /// Whether a byte is in both.
    pub fn overlaps(self, other: SharedRange) -> bool {
        self.address < other.end() && other.address < self.end()
    }

    /// The least range that has both.
    fn join(self, other: SharedRange) -> SharedRange {
        let address = self.address.min(other.address);
        SharedRange { address, bytes: self.end().max(other.end()) - address }
    }

    /// The least range of parts of this size.
    pub(crate) fn around(
        addresses: impl IntoIterator<Item = u64>,
        bytes: u32,
    ) -> Option<SharedRange> {
        let part = |address| SharedRange { address: address as u32, bytes };
        addresses.into_iter().map(part).reduce(SharedRange::join)
    }
}

/// What happened in shared memory, from where the warp that caused it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Arrived { barrier: u32 },
    Landed { barrier: u32, address: u32 },
    Completed { barrier: u32, phase: u64 },
}
