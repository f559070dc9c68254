//! `cp.async`, and the copies of a warp's lanes that have not landed.

use std::collections::VecDeque;

use super::access::addresses;
use super::block::{Common, Stop};
use super::control::Site;
use super::registers::lanes_of;
use super::request::{Request, other_writer};
use super::warp::Warp;
use crate::fault::{Direction, Violation};
use crate::memory::{Landing, Shared};
use crate::program::{AsyncCopy, LANES};
use crate::ptx::Space;

struct Copy {
    landing: Landing,
    /// Number of the group it belongs to.
    group: u64,
}

#[derive(Default)]
struct Lane {
    /// Oldest first.
    in_flight: VecDeque<Copy>,
    /// Groups committed.
    committed: u64,
}

/// What a warp's lanes have in flight: at most as much as shared memory holds, because to copy over a copy in
/// flight is a fault.
#[derive(Default)]
pub(crate) struct Copies {
    lanes: [Lane; LANES],
}

impl Copies {
    pub(crate) fn reset(&mut self) {
        for lane in &mut self.lanes {
            lane.in_flight.clear();
            lane.committed = 0;
        }
    }

    /// A copy of a lane's open group.
    pub(crate) fn start(&mut self, lane: usize, landing: Landing) {
        let Lane { in_flight, committed } = &mut self.lanes[lane];
        in_flight.push_back(Copy { landing, group: *committed });
    }

    pub(crate) fn commit(&mut self, mask: u32) {
        lanes_of(mask).for_each(|lane| self.lanes[lane].committed += 1);
    }

    /// Lands all but the newest `groups` committed groups of the lanes in `mask`.
    pub(crate) fn wait(&mut self, mask: u32, groups: u32, shared: &mut Shared) {
        for lane in lanes_of(mask) {
            let Lane { in_flight, committed } = &mut self.lanes[lane];
            let landed = committed.saturating_sub(groups.into());
            let count = in_flight.partition_point(|copy| copy.group < landed);
            in_flight.drain(..count).for_each(|copy| shared.land(copy.landing));
        }
    }

    /// Lands everything of the lanes in `mask`, committed or not.
    pub(crate) fn wait_all(&mut self, mask: u32, shared: &mut Shared) {
        self.commit(mask);
        self.wait(mask, 0, shared);
    }
}

pub(super) fn execute(
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
        let thread = warp.thread(lane);
        let values = copy_source(site, common, thread, Request { bytes: source_bytes, ..read })?;
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
    thread: u32,
    request: Request,
) -> Result<[u32; 4], Box<Stop>> {
    if request.bytes == 0 {
        return Ok([0; 4]);
    }
    let region = request.region(site, common)?;
    if let Some(other) = other_writer(site, common, region, (thread, request)) {
        return Err(request.block_race(other));
    }
    let offset = request.address - region.base;
    if !region.buffer.is_written(offset, request.bytes) {
        return Err(request.uninitialized());
    }
    Ok(region.buffer.load_prefix(offset, request.bytes))
}
