//! Loads, stores and asynchronous copies.

use super::block::{Common, Stop};
use super::control::Site;
use super::registers::{Lanes, Registers, lanes_of};
use super::request::{Request, keep_coherent, other_writer};
use super::warp::Warp;
use super::{async_copy, atomic, tensor_copy};
use crate::fault::{Direction, Violation};
use crate::program::{Access, AddressRegister, Extend, LANES, MemoryOp};
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
        MemoryOp::Fence | MemoryOp::MbarrierFence | MemoryOp::ProxyFence => {
            fence(site, common, warp, op);
            Ok(())
        }
        MemoryOp::TensorCopy(copy) => tensor_copy::execute(site, common, warp, copy),
        MemoryOp::AsyncCopy(copy) => async_copy::execute(site, common, warp, copy),
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

fn fence(site: &Site<'_>, common: &mut Common, warp: &Warp, op: &MemoryOp) {
    for thread in lanes_of(site.active).map(|lane| warp.thread(lane)) {
        match (op, &mut common.order) {
            (MemoryOp::Fence, Some(order)) => order.fence(thread),
            (MemoryOp::Fence, None) => {}
            _ => common.shared.show_mbarriers(thread),
        }
    }
    if matches!(op, MemoryOp::ProxyFence) {
        common.shared.fence_proxies(warp.number, site.active);
    }
}

/// The address in each lane.
pub(super) fn addresses(r: &Registers, register: AddressRegister, offset: i64) -> Lanes<u64> {
    match register {
        AddressRegister::Word(at) => r.word(at).map(|a| u64::from(a).wrapping_add_signed(offset)),
        AddressRegister::Long(at) => r.long(at).map(|a| a.wrapping_add_signed(offset)),
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
        values[lane] = load_lane(site, common, warp, request, access.non_coherent)?;
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
    non_coherent: bool,
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
            if let Some(other) = other_writer(site, common, region, (warp.thread(lane), request)) {
                return Err(request.block_race(other));
            }
            if !region.buffer.is_written(offset, bytes) {
                return Err(request.uninitialized());
            }
            if non_coherent {
                keep_coherent(site, region, request)?;
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
            if let Some(other) = other_writer(site, common, region, (warp.thread(lane), request)) {
                return Err(request.block_race(other));
            }
            keep_coherent(site, region, request)?;
            region.buffer.store(offset, bytes, values);
            Ok(())
        }
    }
}
