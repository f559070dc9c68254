//! `atom` and `red`.

use super::access::addresses;
use super::block::{Common, Stop};
use super::context::BlockRaces;
use super::control::Site;
use super::float;
use super::registers::{Lanes, Registers, lanes_of};
use super::request::{Request, keep_coherent};
use super::warp::Warp;
use crate::fault::Direction;
use crate::program::{Atomic, AtomicAccess, Float2, LANES, Scalar};
use crate::ptx::Space;

fn values(r: &Registers, long: bool, index: u32) -> Lanes<u64> {
    if long { *r.long(index) } else { r.word(index).map(u64::from) }
}

/// Lane by lane in ascending order.
pub(super) fn execute(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    access: &AtomicAccess,
    [d, a, b]: [u32; 3],
) -> Result<(), Box<Stop>> {
    let bytes = access.bytes;
    let long = bytes == 8;
    let addresses = addresses(&warp.registers, access.address, access.offset);
    let (a, b) = (values(&warp.registers, long, a), values(&warp.registers, long, b));
    let mut old = [0u64; LANES];
    for lane in lanes_of(site.active) {
        let address = addresses[lane];
        let direction = Direction::Write;
        let whole = Request { space: access.space, address, bytes: access.align, direction, lane };
        let request = Request { bytes, ..whole.checked()? };
        let f = |old: u64| combine(access, request.space, old, a[lane], b[lane]);
        old[lane] = match request.space {
            Space::Shared => on_shared(common, warp.thread(lane), request, f)?,
            Space::Global | Space::Constant => {
                on_global(site, common, warp.thread(lane), request, f)?
            }
            _ => return Err(request.out_of_bounds(None)),
        };
    }
    if let Some(profile) = &mut common.profile {
        profile.accessed(site.pc, access.space, &addresses, site.active, bytes, Direction::Write);
    }
    if long {
        warp.registers.set_long(d, site.active, &old);
    } else {
        warp.registers.set_word(d, site.active, &old.map(|old| old as u32));
    }
    Ok(())
}

fn on_shared(
    common: &mut Common,
    thread: u32,
    request: Request,
    f: impl Fn(u64) -> u64,
) -> Result<u64, Box<Stop>> {
    let Request { address, bytes, .. } = request;
    let old = common.shared.modify(address, bytes, thread, f);
    old.map_err(|problem| request.shared_problem(problem))
}

fn on_global(
    site: &Site<'_>,
    common: &mut Common,
    thread: u32,
    request: Request,
    f: impl Fn(u64) -> u64,
) -> Result<u64, Box<Stop>> {
    let region = request.region(site, common)?;
    let offset = request.address - region.base;
    if !region.buffer.is_written(offset, request.bytes) {
        return Err(request.uninitialized());
    }
    keep_coherent(site, region, request)?;
    common.statistics.global_bytes_loaded += u64::from(request.bytes);
    common.statistics.global_bytes_stored += u64::from(request.bytes);
    let modify = || match request.bytes {
        8 => region.buffer.modify_wide(offset, f),
        4 => u64::from(region.buffer.modify(offset, |old| f(u64::from(old)) as u32)),
        _ => u64::from(region.buffer.modify_half(offset, |old| f(u64::from(old)) as u32)),
    };
    Ok(match (&site.context.block_races, &mut common.order) {
        (BlockRaces::Unordered(order), Some(block)) => {
            order.atomic(block, (request.address, thread), modify)
        }
        _ => modify(),
    })
}

/// What an atomic leaves in memory.
fn combine(access: &AtomicAccess, space: Space, old: u64, a: u64, b: u64) -> u64 {
    let &AtomicAccess { f, ty, packed, .. } = access;
    if matches!(ty, Scalar::F32 | Scalar::F16 | Scalar::Bf16) {
        let function = match f {
            Atomic::Min => Float2::Min,
            Atomic::Max => Float2::Max,
            _ => Float2::Add,
        };
        // Of f32 in global memory, the device takes subnormals for zero. (PTX ISA, `atom`)
        let flush = ty == Scalar::F32 && space != Space::Shared;
        return float::combine(function, ty, packed, flush, old as u32, a as u32).into();
    }
    combine_wide_or_integer(f, ty, old, a, b)
}

/// [`combine`] of 64-bit floats and of integers.
fn combine_wide_or_integer(f: Atomic, ty: Scalar, old: u64, a: u64, b: u64) -> u64 {
    match (f, ty) {
        (Atomic::Add, Scalar::F64) => (f64::from_bits(old) + f64::from_bits(a)).to_bits(),
        (Atomic::Add, _) => old.wrapping_add(a),
        (Atomic::Exchange, _) => a,
        (Atomic::CompareExchange, _) => {
            if old == a {
                b
            } else {
                old
            }
        }
        (Atomic::Min, Scalar::S32) => (old as i32).min(a as i32) as u32 as u64,
        (Atomic::Max, Scalar::S32) => (old as i32).max(a as i32) as u32 as u64,
        (Atomic::Min, Scalar::S64) => (old as i64).min(a as i64) as u64,
        (Atomic::Max, Scalar::S64) => (old as i64).max(a as i64) as u64,
        (Atomic::Min, _) => old.min(a),
        (Atomic::Max, _) => old.max(a),
        (Atomic::And, _) => old & a,
        (Atomic::Or, _) => old | a,
        (Atomic::Xor, _) => old ^ a,
        (Atomic::Increment, _) => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        (Atomic::Decrement, _) => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
    }
}
