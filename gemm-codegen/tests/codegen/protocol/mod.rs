//! Protocols between the roles of a block, as data: who waits, arrives, copies and multiplies in which
//! order. [`walk`](walk::walk) goes through every state that one can reach.
//!
//! A protocol is written for given numbers of stages, consumers and k-tiles, so each role is a straight
//! line of steps. A form of pipeline is a function that returns one: see `one_tile`,
//! `walking`, `clusters`, `splits` and `epilogue`.

use std::ops::Range;

mod calls;
mod clusters;
mod end;
mod epilogue;
mod one_tile;
mod splits;
mod stage;
mod start;
mod walk;
mod walking;

/// What a role does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Waits until the phase of this parity of a barrier has completed.
    Wait { barrier: Barrier, parity: u32 },
    /// Arrives this number of times.
    Arrive { barrier: Barrier, times: u32 },
    /// Arrives, and adds bytes that complete the phase.
    Expect { barrier: Barrier, bytes: u32 },
    /// Copies a box of a k-tile to a stage, whose `Full` barrier counts its bytes. They land at any time
    /// from then on.
    Copy { stage: usize, tile: usize, bytes: u32 },
    /// The same to a stage of another block of a cluster, which may come before the bytes are expected.
    CopyToPeer { stage: usize, tile: usize, bytes: u32 },
    /// Issues products that read a k-tile from a stage, at any time until they have been waited for.
    Multiply { stage: usize, tile: usize },
    /// Issues a store of what all others that read a stage have put there, which reads it until it has
    /// been waited for, like products.
    Store { stage: usize, tile: usize },
    /// Waits until this many products, the latest, are in flight.
    Retire { left: usize },
    /// Initialises the barriers of a stage.
    Initialise { stage: usize },
    /// Waits until all processes that have this step are at it.
    Sync(Meeting),
    /// Writes to the memory of all stages.
    WriteRing,
    /// Waits for the turn of this number, and takes it.
    Await { turn: usize },
    /// Gives it.
    Give { turn: usize },
}

/// Where processes wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meeting {
    /// All threads of the block of this number, before any but the one that initialises the barriers
    /// accesses them.
    Start(usize),
    /// Those that multiply, or all blocks of a cluster.
    Later,
}

/// A barrier of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Barrier {
    /// Completes when the stage has landed.
    Full(usize),
    /// Completes when every consumer has left the stage.
    Empty(usize),
}

/// Processes that execute the same steps.
#[derive(Clone, Debug)]
pub(super) struct Role {
    pub(super) processes: usize,
    pub(super) steps: Vec<Step>,
}

/// What the processes of a block or of a cluster do, and how its barriers were initialised.
#[derive(Clone, Debug)]
pub(super) struct Protocol {
    /// Blocks of the cluster. Each has an equal share of the stages and of the roles, one block after the
    /// other.
    pub(super) blocks: usize,
    pub(super) stages: usize,
    /// Arrivals that complete a phase of a `Full` and of an `Empty` barrier.
    pub(super) arrivals: [u32; 2],
    /// Processes that multiply each k-tile.
    pub(super) readers: usize,
    pub(super) roles: Vec<Role>,
}

/// `initialise`, for these stages.
pub(super) fn initialise(stages: Range<usize>) -> impl Iterator<Item = Step> {
    stages.map(|stage| Step::Initialise { stage })
}

/// What goes wrong in some state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// An access to a barrier that has not been initialised.
    NotInitialised,
    /// No process can go on, and some have not ended.
    Deadlock,
    /// An arrival at a barrier of a block that has ended, or a copy to a stage of it.
    Ended,
    /// A copy to a stage that is still to be multiplied, or that holds something else.
    Overwritten,
    /// Products of a k-tile that has not landed.
    NotLanded,
    /// A store of what has not been written.
    NotWritten,
    /// More arrivals than complete a phase.
    Arrivals,
    /// More bytes than a phase expects.
    Bytes,
    /// The memory of the ring is written while it is copied to or multiplied.
    RingInUse,
    /// All have ended, but products, copies or phases have not.
    Unfinished,
}
