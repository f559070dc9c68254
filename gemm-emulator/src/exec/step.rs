//! One instruction of one fragment, and the state it acts on.

use fastrand::Rng;

use super::barrier::BarrierState;
use super::budget::Budget;
use super::context::Context;
use super::meeting::Meeting;
use super::peers::Peers;
use super::warp::Warp;
use crate::fault::Violation;
use crate::lanes::{Lanes, lanes_of};
use crate::memory::{BlockOrder, Shared};
use crate::profile::Recorder;
use crate::program::Address;
use crate::statistics::Statistics;

/// An instruction about to be executed.
pub(crate) struct Step<'s> {
    pub(crate) context: &'s Context<'s>,
    pub(crate) common: &'s mut Common,
    pub(crate) warp: &'s mut Warp,
    pub(crate) pc: u32,
    /// The lanes of the fragment.
    pub(crate) mask: u32,
    /// Those that the guard lets execute.
    pub(crate) active: u32,
}

/// Where a fragment continues.
pub(crate) enum Flow {
    Next,
    Jump(u32),
    /// Its lanes have been given to the warp's fragments, or have ended.
    Parted,
    /// As `Parted`, to execute this instruction once the lanes that take part in it have come.
    Waiting,
}

/// State that the warps of a block share.
pub(crate) struct Common {
    /// Number of the block in its grid.
    pub(crate) block: u64,
    /// Decides what the hardware leaves open.
    pub(crate) random: Rng,
    /// The same of the landings of tensor copies; none if all are late.
    pub(crate) landings: Option<Rng>,
    pub(crate) shared: Shared,
    /// Rank of the block in its cluster.
    pub(crate) rank: u32,
    pub(crate) peers: Peers,
    /// Its knowledge of other blocks, if that is checked.
    pub(crate) order: Option<BlockOrder>,
    pub(crate) barriers: Vec<BarrierState>,
    pub(crate) statistics: Statistics,
    /// Counts by instruction, if the launch asks for them.
    pub(crate) profile: Option<Recorder>,
    /// For each instruction, the region of global memory it hit last.
    pub(crate) hints: Vec<u32>,
    /// Of each warpgroup, an instruction that only some of its warps have come to.
    pub(crate) meetings: Vec<Option<Meeting>>,
    pub(crate) budget: Budget,
    /// Set when all warps of this warpgroup have come to one.
    pub(crate) met_warpgroup: Option<u32>,
    /// Set when a barrier was completed whose waiters must be released.
    pub(crate) completed: Option<u32>,
}

/// A fault without its place.
pub(crate) struct Stop {
    pub(crate) violation: Violation,
    pub(crate) lane: usize,
}

/// The result of an instruction or a part of it.
pub(crate) type Executed<T = ()> = Result<T, Box<Stop>>;

impl Step<'_> {
    /// The address in each lane.
    pub(crate) fn addresses(&self, address: Address) -> Lanes<u64> {
        self.warp.registers.addresses(address)
    }
}

impl Common {
    /// Some or all threads have met at a barrier.
    pub(crate) fn met(&mut self) {
        if let Some(order) = &mut self.order {
            order.barrier();
        }
    }
}

impl Stop {
    #[cold]
    pub(crate) fn new(violation: Violation, lane: usize) -> Box<Stop> {
        Box::new(Stop { violation, lane })
    }

    /// A fault of a whole mask, reported for its first lane.
    #[cold]
    pub(crate) fn of_mask(violation: Violation, mask: u32) -> Box<Stop> {
        Stop::new(violation, lanes_of(mask).next().unwrap_or(0))
    }
}
