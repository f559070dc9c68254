//! `cp.async`.

use crate::exec::request::Request;
use crate::exec::step::{Executed, Step, Stop};
use crate::fault::{Direction, Violation};
use crate::lanes::{LANES, lanes_of};
use crate::program::AsyncCopy;
use crate::ptx::Space;

pub(super) fn execute(step: &mut Step<'_>, copy: &AsyncCopy) -> Executed {
    let bytes = u32::from(copy.bytes);
    let (to, from) = (step.addresses(copy.to), step.addresses(copy.from));
    let sizes = copy.source_bytes.map_or([bytes; LANES], |at| *step.warp.registers.word(at));
    let ignored = copy.ignore_source.map_or(0, |p| step.warp.registers.predicate_use(p));
    let source_bytes = |lane: usize| if ignored >> lane & 1 == 1 { 0 } else { sizes[lane] };
    for lane in lanes_of(step.active) {
        let source_bytes = source_bytes(lane);
        if source_bytes > bytes {
            return Err(Stop::new(Violation::CopySize { bytes, source_bytes }, lane));
        }
        let request =
            |space, address, direction| Request { space, address, bytes, direction, lane };
        let read = request(Space::Global, from[lane], Direction::Read).checked()?;
        let values = zero_filled(step, Request { bytes: source_bytes, ..read })?;
        let write = request(Space::Shared, to[lane], Direction::Write).checked()?;
        let landing = step.common.shared.copy(write.address, bytes, values, step.warp.member(lane));
        let landing = landing.map_err(|problem| write.shared_problem(problem))?;
        step.warp.copies.start(lane, landing);
        step.common.statistics.global_bytes_loaded += u64::from(source_bytes);
    }
    if let Some(profile) = &mut step.common.profile {
        profile.copied(step.pc, [&from, &to], step.active, copy, source_bytes);
    }
    step.trace_copies([&to, &from], bytes, |lane| source_bytes(lane) > 0);
    step.common.statistics.shared_bytes_stored +=
        u64::from(bytes) * u64::from(step.active.count_ones());
    Ok(())
}

/// The bytes that a copy reads, followed by zeros.
fn zero_filled(step: &mut Step<'_>, request: Request) -> Executed<[u32; 4]> {
    if request.bytes == 0 {
        return Ok([0; 4]);
    }
    let (region, offset) = request.in_global(step)?;
    Ok(region.buffer.load_prefix(offset, request.bytes))
}
