//! One lane's access: its region and its faults.

use super::context::BlockRaces;
use super::step::{Executed, Step, Stop};
use crate::fault::{Direction, Nearest, TensorStoreProblem, Violation, WarpgroupProblem};
use crate::memory::{Miss, Need, Race, Region, SharedProblem, Span, resolve};
use crate::ptx::Space;

/// One lane's access, with all that a fault reports.
#[derive(Clone, Copy)]
pub(super) struct Request {
    pub(super) space: Space,
    pub(super) address: u64,
    pub(super) bytes: u32,
    pub(super) direction: Direction,
    pub(super) lane: usize,
}

impl Request {
    /// Resolves a generic address and checks the alignment.
    #[inline]
    pub(super) fn checked(mut self) -> Executed<Request> {
        if self.space == Space::Generic {
            (self.space, self.address) = resolve(self.address);
        }
        if !self.address.is_multiple_of(u64::from(self.bytes)) {
            let Request { space, address, bytes, direction, lane } = self;
            let violation = Violation::Misaligned { space, address, bytes, direction };
            return Err(Stop::new(violation, lane));
        }
        Ok(self)
    }

    /// As [`Request::checked`], of an address that must be shared.
    pub(super) fn in_shared(self) -> Executed<Request> {
        let request = self.checked()?;
        if request.space == Space::Shared { Ok(request) } else { Err(request.out_of_bounds(None)) }
    }

    #[cold]
    pub(super) fn out_of_bounds(self, nearest: Option<Nearest>) -> Box<Stop> {
        let Request { space, address, bytes, direction, lane } = self;
        let violation = Violation::OutOfBounds { space, address, bytes, direction, nearest };
        Stop::new(violation, lane)
    }

    #[cold]
    pub(super) fn uninitialized(self) -> Box<Stop> {
        let Request { space, address, bytes, lane, .. } = self;
        Stop::new(Violation::Uninitialized { space, address, bytes }, lane)
    }

    /// The fault of a problem of shared memory.
    #[cold]
    pub(super) fn shared_problem(self, problem: SharedProblem) -> Box<Stop> {
        let direction = self.direction;
        let violation = match problem {
            SharedProblem::Outside => return self.out_of_bounds(None),
            SharedProblem::NeverWritten { .. } => return self.uninitialized(),
            SharedProblem::InFlight { at, thread } => {
                Violation::CopyInFlight { address: at.into(), direction, copier: thread }
            }
            SharedProblem::TensorInFlight { at, thread, barrier } => {
                let (address, barrier) = (at.into(), barrier.into());
                Violation::TensorCopyInFlight { address, direction, copier: thread, barrier }
            }
            SharedProblem::Storing { at, thread } => {
                let address = at.into();
                Violation::TensorStore(TensorStoreProblem::Overwritten { address, thread })
            }
            SharedProblem::Multiplying { at, warpgroup } => {
                let address = at.into();
                Violation::Warpgroup(WarpgroupProblem::Overwritten { address, warpgroup })
            }
            SharedProblem::Mbarrier { barrier, problem } => {
                Violation::Mbarrier { barrier: barrier.into(), problem }
            }
            SharedProblem::NotPublished { at, thread } => {
                Violation::CopyNotPublished { address: at.into(), copier: thread }
            }
            SharedProblem::Race(Race { at, other, other_wrote, unfenced, .. }) => {
                let other_direction = if other_wrote { Direction::Write } else { Direction::Read };
                let address = at.into();
                match unfenced {
                    true => Violation::TensorCopyNotFenced { address, other, other_direction },
                    false => Violation::Race { address, direction, other, other_direction },
                }
            }
        };
        Stop::new(violation, self.lane)
    }

    /// The conditions for it in global memory.
    fn need(self, step: &Step<'_>) -> Need {
        let write = self.direction == Direction::Write;
        Need { write, early: step.warp.early >> self.lane & 1 == 1 }
    }

    /// The region of global memory it lies in, and the offset in its buffer.
    #[inline]
    pub(super) fn region<'s>(self, step: &mut Step<'s>) -> Executed<(&'s Region, u64)> {
        let (context, need) = (step.context, self.need(step));
        let hint = &mut step.common.hints[step.pc as usize];
        match context.global.find(self.address, u64::from(self.bytes), need, hint) {
            Some(region) => Ok((region, self.address - region.base)),
            None => Err(self.missed(step)),
        }
    }

    #[cold]
    fn missed(self, step: &Step<'_>) -> Box<Stop> {
        let Request { space, address, bytes, direction, lane } = self;
        let violation = match step.context.global.miss(address, u64::from(bytes), self.need(step)) {
            Miss::Outside(nearest) => return self.out_of_bounds(nearest),
            Miss::Early(operand) => {
                Violation::BeforePredecessor { address, bytes, direction, operand }
            }
            Miss::ReadOnly(operand) => Violation::ReadOnly { space, address, bytes, operand },
            Miss::Freed(freed) => Violation::UseAfterFree { address, bytes, direction, freed },
        };
        Stop::new(violation, lane)
    }

    /// As [`Request::region`]; checks the order between blocks, and that something has written what is read.
    #[inline]
    pub(super) fn in_global<'s>(self, step: &mut Step<'s>) -> Executed<(&'s Region, u64)> {
        let (region, offset) = self.region(step)?;
        let Request { address, bytes, direction, lane, .. } = self;
        if let Some(other) = self.other_writer(step, region) {
            return Err(Stop::new(Violation::BlockRace { address, bytes, direction, other }, lane));
        }
        if direction == Direction::Read && !region.buffer.are_written(offset, bytes.into()) {
            return Err(self.uninitialized());
        }
        Ok((region, offset))
    }

    /// Another block that has stored there, with nothing that orders the two; notes a store.
    fn other_writer(self, step: &Step<'_>, region: &Region) -> Option<u32> {
        let Request { address, bytes, direction, lane, .. } = self;
        let (all, offset) = (region.buffer.bytes(), address - region.base);
        let (span, thread) = (Span { all, offset, width: bytes }, step.warp.thread(lane));
        match (&step.context.block_races, direction, &step.common.order) {
            (BlockRaces::OfStores, Direction::Write, _) => {
                region.tracks.writers.note(all, offset, bytes, step.common.block)
            }
            (BlockRaces::Unordered(order), Direction::Write, Some(block)) => {
                order.store(&region.tracks.stamps, span, block, thread)
            }
            (BlockRaces::Unordered(order), Direction::Read, Some(block)) => {
                order.load(&region.tracks.stamps, span, block, thread)
            }
            _ => None,
        }
    }

    /// Notes an access by `ld.global.nc`, or a store, in a kernel that has both.
    #[inline]
    pub(super) fn keep_coherent(self, step: &Step<'_>, region: &Region) -> Executed {
        if !step.context.program.non_coherent {
            return Ok(());
        }
        let Request { address, bytes, direction, lane, .. } = self;
        let (all, offset) = (region.buffer.bytes(), address - region.base);
        match region.tracks.non_coherent.note(all, offset, bytes, direction == Direction::Write) {
            false => Ok(()),
            true => Err(Stop::new(Violation::NonCoherent { address, bytes, direction }, lane)),
        }
    }
}
