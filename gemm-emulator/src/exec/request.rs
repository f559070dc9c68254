//! One lane's access: its region and its faults.

use super::block::{Common, Stop};
use super::context::BlockRaces;
use super::control::Site;
use crate::fault::{Direction, Nearest, Violation};
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

fn written(wrote: bool) -> Direction {
    if wrote { Direction::Write } else { Direction::Read }
}

impl Request {
    /// Resolves a generic address and checks the alignment.
    #[inline]
    pub(super) fn checked(mut self) -> Result<Request, Box<Stop>> {
        if self.space == Space::Generic {
            (self.space, self.address) = resolve(self.address);
        }
        if !self.address.is_multiple_of(u64::from(self.bytes)) {
            let Request { space, address, bytes, direction, lane } = self;
            return Err(Stop::new(
                Violation::Misaligned { space, address, bytes, direction },
                lane,
            ));
        }
        Ok(self)
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

    /// The fault that a problem of shared memory is.
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
            SharedProblem::Mbarrier { barrier, problem } => {
                Violation::Mbarrier { barrier: barrier.into(), problem }
            }
            SharedProblem::NotPublished { at, thread } => {
                Violation::CopyNotPublished { address: at.into(), copier: thread }
            }
            SharedProblem::Race(Race { at, other, other_wrote, unfenced: true, .. }) => {
                Violation::TensorCopyNotFenced {
                    address: at.into(),
                    other,
                    other_direction: written(other_wrote),
                }
            }
            SharedProblem::Race(Race { at, other, other_wrote, .. }) => Violation::Race {
                address: at.into(),
                direction,
                other,
                other_direction: written(other_wrote),
            },
        };
        Stop::new(violation, self.lane)
    }

    /// The fault of an access that is not ordered after another block's store.
    #[cold]
    pub(super) fn block_race(self, other: u32) -> Box<Stop> {
        let Request { address, bytes, direction, lane, .. } = self;
        Stop::new(Violation::BlockRace { address, bytes, direction, other }, lane)
    }

    /// The region of global memory it lies in.
    #[inline]
    pub(super) fn region<'s>(
        self,
        site: &Site<'s>,
        common: &mut Common,
    ) -> Result<&'s Region, Box<Stop>> {
        let hint = &mut common.hints[site.pc as usize];
        let write = self.direction == Direction::Write;
        let need = Need { write, early: site.early >> self.lane & 1 == 1 };
        let found = site.context.global.find(self.address, u64::from(self.bytes), need, hint);
        found.ok_or_else(|| self.missed(site))
    }

    #[cold]
    fn missed(self, site: &Site<'_>) -> Box<Stop> {
        let Request { space, address, bytes, direction, lane } = self;
        let write = direction == Direction::Write;
        let need = Need { write, early: site.early >> lane & 1 == 1 };
        let violation = match site.context.global.miss(address, u64::from(bytes), need) {
            Miss::Outside(nearest) => return self.out_of_bounds(nearest),
            Miss::Early(operand) => {
                Violation::BeforePredecessor { address, bytes, direction, operand }
            }
            Miss::ReadOnly(operand) => Violation::ReadOnly { space, address, bytes, operand },
            Miss::Freed(freed) => Violation::UseAfterFree { address, bytes, direction, freed },
        };
        Stop::new(violation, lane)
    }
}

/// Notes an access by `ld.global.nc`, or a store, in a kernel that has both.
#[inline]
pub(super) fn keep_coherent(
    site: &Site<'_>,
    region: &Region,
    request: Request,
) -> Result<(), Box<Stop>> {
    if !site.context.program.non_coherent {
        return Ok(());
    }
    let Request { address, bytes, direction, lane, .. } = request;
    let (all, offset) = (region.buffer.bytes(), address - region.base);
    let stores = direction == Direction::Write;
    match region.tracks.non_coherent.note(all, offset, bytes, stores) {
        false => Ok(()),
        true => Err(Stop::new(Violation::NonCoherent { address, bytes, direction }, lane)),
    }
}

/// Another block that has stored where a thread loads or stores, with nothing that orders the two; notes a store.
pub(super) fn other_writer(
    site: &Site<'_>,
    common: &Common,
    region: &Region,
    (thread, request): (u32, Request),
) -> Option<u32> {
    let Request { address, bytes, direction, .. } = request;
    let (all, offset) = (region.buffer.bytes(), address - region.base);
    let span = Span { all, offset, width: bytes };
    match (&site.context.block_races, direction, &common.order) {
        (BlockRaces::OfStores, Direction::Write, _) => {
            region.tracks.writers.note(all, offset, bytes, common.block)
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
