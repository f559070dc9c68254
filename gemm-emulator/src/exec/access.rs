//! Loads, stores and asynchronous copies.

use super::atomic;
use super::block::{Common, Stop};
use super::control::Site;
use super::registers::{Lanes, Registers, lanes_of};
use super::warp::Warp;
use crate::fault::{Direction, Nearest, Violation};
use crate::memory::{Miss, Race, Region, SharedProblem, resolve};
use crate::program::{Access, AddressRegister, AsyncCopy, Extend, LANES, MemoryOp};
use crate::ptx::Space;

pub(super) fn execute(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    op: &MemoryOp,
) -> Result<(), Box<Stop>> {
    match op {
        MemoryOp::Load { access, d } => load(site, common, warp, access, d),
        MemoryOp::Store { access, a } => store(site, common, warp, access, a),
        MemoryOp::Atomic { access, d, a, b } => {
            atomic::execute(site, common, warp, access, [*d, *a, *b])
        }
        MemoryOp::AsyncCopy(copy) => async_copy(site, common, warp, copy),
        MemoryOp::AsyncCommit => {
            warp.copies.commit(site.active);
            Ok(())
        }
        MemoryOp::AsyncWait { groups } => {
            warp.copies.wait(site.active, *groups, &mut common.shared);
            Ok(())
        }
        MemoryOp::AsyncWaitAll => {
            warp.copies.wait_all(site.active, &mut common.shared);
            Ok(())
        }
    }
}

/// The address in each lane.
pub(super) fn addresses(r: &Registers, register: AddressRegister, offset: i64) -> Lanes<u64> {
    match register {
        AddressRegister::Word(at) => r.word(at).map(|a| u64::from(a).wrapping_add_signed(offset)),
        AddressRegister::Long(at) => r.long(at).map(|a| a.wrapping_add_signed(offset)),
    }
}

/// One lane's access, with all that a fault tells of it.
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
            SharedProblem::NotPublished { at, thread } => {
                Violation::CopyNotPublished { address: at.into(), copier: thread }
            }
            SharedProblem::Race(Race { at, other, other_wrote }) => Violation::Race {
                address: at.into(),
                direction,
                other,
                other_direction: if other_wrote { Direction::Write } else { Direction::Read },
            },
        };
        Stop::new(violation, self.lane)
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
        let found = site.context.global.find(self.address, u64::from(self.bytes), write, hint);
        found.ok_or_else(|| self.missed(site))
    }

    #[cold]
    fn missed(self, site: &Site<'_>) -> Box<Stop> {
        let Request { space, address, bytes, direction, lane } = self;
        let write = direction == Direction::Write;
        let violation = match site.context.global.miss(address, u64::from(bytes), write) {
            Miss::Outside(nearest) => return self.out_of_bounds(nearest),
            Miss::ReadOnly(operand) => Violation::ReadOnly { space, address, bytes, operand },
            Miss::Freed(freed) => Violation::UseAfterFree { address, bytes, direction, freed },
        };
        Stop::new(violation, lane)
    }
}

fn load(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    access: &Access,
    d: &[u32; 4],
) -> Result<(), Box<Stop>> {
    let bytes = u32::from(access.width) * u32::from(access.count);
    let addresses = addresses(&warp.registers, access.address, access.offset);
    let mut values = [[0u32; 4]; LANES];
    for lane in lanes_of(site.active) {
        let address = addresses[lane];
        let direction = Direction::Read;
        let request = Request { space: access.space, address, bytes, direction, lane }.checked()?;
        values[lane] = load_lane(site, common, warp, request)?;
    }
    if let Some(profile) = &mut common.profile {
        profile.accessed(site.pc, access.space, &addresses, site.active, bytes, Direction::Read);
    }
    let total = u64::from(bytes) * u64::from(site.active.count_ones());
    match access.space {
        Space::Global => common.statistics.global_bytes_loaded += total,
        Space::Shared => common.statistics.shared_bytes_loaded += total,
        _ => {}
    }
    for (element, d) in d.iter().take(usize::from(access.count)).enumerate() {
        fill_register(&mut warp.registers, site.active, access, *d, element, &values);
    }
    Ok(())
}

#[inline]
fn load_lane(
    site: &Site<'_>,
    common: &mut Common,
    warp: &Warp,
    request: Request,
) -> Result<[u32; 4], Box<Stop>> {
    let Request { address, bytes, lane, .. } = request;
    match request.space {
        Space::Shared => common
            .shared
            .load(address, bytes, warp.thread(lane))
            .map_err(|problem| request.shared_problem(problem)),
        Space::Local => warp
            .locals
            .load(&site.context.locals, lane, address, bytes)
            .ok_or_else(|| request.out_of_bounds(None)),
        Space::Parameter => {
            site.context.parameters.load(address, bytes).ok_or_else(|| request.out_of_bounds(None))
        }
        Space::Global | Space::Constant | Space::Generic => {
            let region = request.region(site, common)?;
            let offset = address - region.base;
            if !region.buffer.is_written(offset, bytes) {
                return Err(request.uninitialized());
            }
            Ok(region.buffer.load(offset, bytes))
        }
    }
}

/// Writes one element of each lane's values to its register.
fn fill_register(
    r: &mut Registers,
    mask: u32,
    access: &Access,
    d: u32,
    element: usize,
    values: &[[u32; 4]; LANES],
) {
    let width = usize::from(access.width);
    let extend = |raw: u64| match access.extend {
        Extend::Zero => raw,
        Extend::Sign32 | Extend::Sign64 => {
            let unused = 64 - 8 * width as u32;
            (((raw << unused) as i64) >> unused) as u64
        }
    };
    if access.long {
        let value = |words: &[u32; 4]| extend(element_of(words, element, width));
        r.set_long(d, mask, &std::array::from_fn(|lane| value(&values[lane])));
    } else if width == 4 {
        r.set_word(d, mask, &std::array::from_fn(|lane| values[lane][element]));
    } else {
        let value = |words: &[u32; 4]| extend(element_of(words, element, width)) as u32;
        r.set_word(d, mask, &std::array::from_fn(|lane| value(&values[lane])));
    }
}

fn element_of(words: &[u32; 4], element: usize, width: usize) -> u64 {
    let at = element * width;
    match width {
        8 => u64::from(words[at / 4]) | u64::from(words[at / 4 + 1]) << 32,
        4 => u64::from(words[at / 4]),
        _ => u64::from(words[at / 4] >> (8 * (at % 4))) & ((1 << (8 * width)) - 1),
    }
}

fn store(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    access: &Access,
    a: &[u32; 4],
) -> Result<(), Box<Stop>> {
    let width = usize::from(access.width);
    let bytes = u32::from(access.width) * u32::from(access.count);
    let mut values = [[0u32; 4]; LANES];
    for (element, a) in a.iter().take(usize::from(access.count)).enumerate() {
        gather_register(&warp.registers, access.long, width, *a, element, &mut values);
    }
    let addresses = addresses(&warp.registers, access.address, access.offset);
    for lane in lanes_of(site.active) {
        let address = addresses[lane];
        let direction = Direction::Write;
        let request = Request { space: access.space, address, bytes, direction, lane }.checked()?;
        store_lane(site, common, warp, request, values[lane])?;
    }
    if let Some(profile) = &mut common.profile {
        profile.accessed(site.pc, access.space, &addresses, site.active, bytes, Direction::Write);
    }
    let total = u64::from(bytes) * u64::from(site.active.count_ones());
    match access.space {
        Space::Global => common.statistics.global_bytes_stored += total,
        Space::Shared => common.statistics.shared_bytes_stored += total,
        _ => {}
    }
    Ok(())
}

fn gather_register(
    r: &Registers,
    long: bool,
    width: usize,
    a: u32,
    element: usize,
    values: &mut [[u32; 4]; LANES],
) {
    let at = element * width;
    for (lane, words) in values.iter_mut().enumerate() {
        let raw = if long { r.long(a)[lane] } else { u64::from(r.word(a)[lane]) };
        match width {
            8 => (words[at / 4], words[at / 4 + 1]) = (raw as u32, (raw >> 32) as u32),
            4 => words[at / 4] = raw as u32,
            _ => words[at / 4] |= (raw as u32 & ((1 << (8 * width)) - 1)) << (8 * (at % 4)),
        }
    }
}

#[inline]
fn store_lane(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    request: Request,
    values: [u32; 4],
) -> Result<(), Box<Stop>> {
    let Request { space, address, bytes, lane, .. } = request;
    match space {
        Space::Shared => common
            .shared
            .store(address, bytes, values, warp.thread(lane))
            .map_err(|problem| request.shared_problem(problem)),
        Space::Local => {
            let stored = warp.locals.store(&site.context.locals, lane, address, bytes, values);
            if stored { Ok(()) } else { Err(request.out_of_bounds(None)) }
        }
        Space::Parameter => {
            let operand = None;
            Err(Stop::new(Violation::ReadOnly { space, address, bytes, operand }, lane))
        }
        Space::Global | Space::Constant | Space::Generic => {
            let region = request.region(site, common)?;
            let offset = address - region.base;
            if site.context.find_block_races {
                let all = region.buffer.bytes();
                if let Some(other) = region.writers.note(all, offset, bytes, common.block) {
                    return Err(Stop::new(Violation::BlockRace { address, bytes, other }, lane));
                }
            }
            region.buffer.store(offset, bytes, values);
            Ok(())
        }
    }
}

fn async_copy(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    copy: &AsyncCopy,
) -> Result<(), Box<Stop>> {
    let bytes = u32::from(copy.bytes);
    let to = addresses(&warp.registers, copy.to, copy.to_offset);
    let from = addresses(&warp.registers, copy.from, copy.from_offset);
    let sizes = copy.source_bytes.map_or([bytes; LANES], |at| *warp.registers.word(at));
    let ignored = copy.ignore_source.map_or(0, |p| warp.registers.predicate_use(p));
    let source_bytes = |lane: usize| if ignored >> lane & 1 == 1 { 0 } else { sizes[lane] };
    for lane in lanes_of(site.active) {
        let source_bytes = source_bytes(lane);
        if source_bytes > bytes {
            return Err(Stop::new(Violation::CopySize { bytes, source_bytes }, lane));
        }
        let request =
            |space, address, direction| Request { space, address, bytes, direction, lane };
        let read = request(Space::Global, from[lane], Direction::Read).checked()?;
        let values = copy_source(site, common, Request { bytes: source_bytes, ..read })?;
        let write = request(Space::Shared, to[lane], Direction::Write).checked()?;
        let landing = common.shared.copy(write.address, bytes, values, warp.thread(lane));
        let landing = landing.map_err(|problem| write.shared_problem(problem))?;
        warp.copies.start(lane, landing);
        common.statistics.global_bytes_loaded += u64::from(source_bytes);
    }
    if let Some(profile) = &mut common.profile {
        profile.copied(site.pc, [&from, &to], site.active, copy, source_bytes);
    }
    common.statistics.shared_bytes_stored += u64::from(bytes) * u64::from(site.active.count_ones());
    Ok(())
}

/// What a copy reads, zero-filled.
fn copy_source(
    site: &Site<'_>,
    common: &mut Common,
    request: Request,
) -> Result<[u32; 4], Box<Stop>> {
    if request.bytes == 0 {
        return Ok([0; 4]);
    }
    let region = request.region(site, common)?;
    let offset = request.address - region.base;
    if !region.buffer.is_written(offset, request.bytes) {
        return Err(request.uninitialized());
    }
    Ok(region.buffer.load_prefix(offset, request.bytes))
}
