//! Loads and stores.

use crate::exec::registers::Registers;
use crate::exec::request::Request;
use crate::exec::step::{Executed, Step, Stop};
use crate::fault::{Direction, Violation};
use crate::lanes::{LANES, Lanes, lanes_of};
use crate::program::{Access, Extend};
use crate::ptx::Space;

pub(super) fn load(step: &mut Step<'_>, access: &Access, d: &[u32; 4]) -> Executed {
    let mut values = [[0u32; 4]; LANES];
    each_lane(step, access, Direction::Read, |step, request| {
        values[request.lane] = load_lane(step, request, access.non_coherent)?;
        Ok(())
    })?;
    for (element, d) in d.iter().take(usize::from(access.count)).enumerate() {
        fill_register(&mut step.warp.registers, step.active, access, *d, element, &values);
    }
    Ok(())
}

pub(super) fn store(step: &mut Step<'_>, access: &Access, a: &[u32; 4]) -> Executed {
    let width = usize::from(access.width);
    let mut values = [[0u32; 4]; LANES];
    for (element, a) in a.iter().take(usize::from(access.count)).enumerate() {
        gather_register(&step.warp.registers, access.long, width, *a, element, &mut values);
    }
    each_lane(step, access, Direction::Write, |step, request| {
        store_lane(step, request, values[request.lane])
    })
}

/// Lets each active lane do its part of an access, and counts it.
#[inline]
fn each_lane<'s>(
    step: &mut Step<'s>,
    access: &Access,
    direction: Direction,
    mut f: impl FnMut(&mut Step<'s>, Request) -> Executed,
) -> Executed {
    let (space, bytes) = (access.space, u32::from(access.width) * u32::from(access.count));
    let addresses = step.addresses(access.address);
    for lane in lanes_of(step.active) {
        let request = Request { space, address: addresses[lane], bytes, direction, lane };
        f(step, request.checked()?)?;
    }
    if let Some(profile) = &mut step.common.profile {
        profile.accessed(step.pc, space, &addresses, step.active, bytes, direction);
    }
    match (space, direction) {
        (Space::Shared, _) => step.trace_access(direction, &addresses, bytes),
        (Space::Global, Direction::Read) => step.trace_global(&addresses, bytes),
        _ => {}
    }
    let total = u64::from(bytes) * u64::from(step.active.count_ones());
    let statistics = &mut step.common.statistics;
    match (space, direction) {
        (Space::Global, Direction::Read) => statistics.global_bytes_loaded += total,
        (Space::Shared | Space::Cluster, Direction::Read) => {
            statistics.shared_bytes_loaded += total
        }
        (Space::Global, Direction::Write) => statistics.global_bytes_stored += total,
        (Space::Shared | Space::Cluster, Direction::Write) => {
            statistics.shared_bytes_stored += total
        }
        _ => {}
    }
    Ok(())
}

#[inline]
fn load_lane(step: &mut Step<'_>, request: Request, non_coherent: bool) -> Executed<[u32; 4]> {
    let Request { address, bytes, lane, .. } = request;
    let within = match request.space {
        Space::Shared => {
            let loaded = step.common.shared.load(address, bytes, step.warp.member(lane));
            return loaded.map_err(|problem| request.shared_problem(problem));
        }
        Space::Cluster => {
            let thread = step.warp.member(lane);
            return step.in_cluster(request, |shared, at, _| shared.load(at, bytes, thread));
        }
        Space::Local => step.warp.locals.load(&step.context.locals, lane, address, bytes),
        Space::Parameter => step.context.parameters.load(address, bytes),
        Space::Global | Space::Constant | Space::Generic => {
            let (region, offset) = request.in_global(step)?;
            if non_coherent {
                request.keep_coherent(step, region)?;
            }
            return Ok(region.buffer.load(offset, bytes));
        }
    };
    within.ok_or_else(|| request.out_of_bounds(None))
}

#[inline]
fn store_lane(step: &mut Step<'_>, request: Request, values: [u32; 4]) -> Executed {
    let Request { space, address, bytes, lane, .. } = request;
    match space {
        Space::Shared => {
            let stored = step.common.shared.store(address, bytes, values, step.warp.member(lane));
            stored.map_err(|problem| request.shared_problem(problem))
        }
        Space::Cluster => {
            let thread = step.warp.member(lane);
            step.in_cluster(request, |shared, at, _| shared.store(at, bytes, values, thread))
        }
        Space::Local => {
            let layout = &step.context.locals;
            let stored = step.warp.locals.store(layout, lane, address, bytes, values);
            if stored { Ok(()) } else { Err(request.out_of_bounds(None)) }
        }
        Space::Parameter => {
            let operand = None;
            Err(Stop::new(Violation::ReadOnly { space, address, bytes, operand }, lane))
        }
        Space::Global | Space::Constant | Space::Generic => {
            let (region, offset) = request.in_global(step)?;
            request.keep_coherent(step, region)?;
            region.buffer.store(offset, bytes, values);
            Ok(())
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
    values: &Lanes<[u32; 4]>,
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

fn gather_register(
    r: &Registers,
    long: bool,
    width: usize,
    a: u32,
    element: usize,
    values: &mut Lanes<[u32; 4]>,
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
