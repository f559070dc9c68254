//! `atom` and `red`.

use super::float;
use crate::exec::context::BlockRaces;
use crate::exec::registers::Registers;
use crate::exec::request::Request;
use crate::exec::step::{Executed, Step};
use crate::fault::Direction;
use crate::lanes::{LANES, Lanes, lanes_of};
use crate::program::{Atomic, AtomicAccess, Float2, FloatType, Scalar};
use crate::ptx::Space;

fn values(r: &Registers, long: bool, index: u32) -> Lanes<u64> {
    if long { *r.long(index) } else { r.word(index).map(u64::from) }
}

/// Lane by lane in ascending order.
pub(super) fn execute(step: &mut Step<'_>, access: &AtomicAccess, [d, a, b]: [u32; 3]) -> Executed {
    let &AtomicAccess { space, bytes, align, .. } = access;
    let (long, direction) = (bytes == 8, Direction::Write);
    let addresses = step.addresses(access.address);
    let [a, b] = [a, b].map(|source| values(&step.warp.registers, long, source));
    let mut old = [0u64; LANES];
    for lane in lanes_of(step.active) {
        let whole = Request { space, address: addresses[lane], bytes: align, direction, lane };
        let request = Request { bytes, ..whole.checked()? };
        let f = |old: u64| combine(access, request.space, old, a[lane], b[lane]);
        old[lane] = match request.space {
            Space::Shared => {
                let thread = step.warp.member(lane);
                let old = step.common.shared.modify(request.address, bytes, thread, f);
                old.map_err(|problem| request.shared_problem(problem))?
            }
            Space::Cluster => {
                let thread = step.warp.member(lane);
                step.in_cluster(request, |shared, at, _| shared.modify(at, bytes, thread, f))?
            }
            Space::Global | Space::Constant => on_global(step, request, f)?,
            _ => return Err(request.out_of_bounds(None)),
        };
    }
    if let Some(profile) = &mut step.common.profile {
        profile.accessed(step.pc, space, &addresses, step.active, bytes, direction);
    }
    if long {
        step.warp.registers.set_long(d, step.active, &old);
    } else {
        step.warp.registers.set_word(d, step.active, &old.map(|old| old as u32));
    }
    Ok(())
}

fn on_global(step: &mut Step<'_>, request: Request, f: impl Fn(u64) -> u64) -> Executed<u64> {
    let (region, offset) = request.region(step)?;
    if !region.buffer.is_written(offset, request.bytes) {
        return Err(request.uninitialized());
    }
    request.keep_coherent(step, region)?;
    step.common.statistics.global_bytes_loaded += u64::from(request.bytes);
    step.common.statistics.global_bytes_stored += u64::from(request.bytes);
    let modify = || match request.bytes {
        8 => region.buffer.modify_wide(offset, f),
        4 => u64::from(region.buffer.modify(offset, |old| f(u64::from(old)) as u32)),
        _ => u64::from(region.buffer.modify_half(offset, |old| f(u64::from(old)) as u32)),
    };
    Ok(match (&step.context.block_races, &mut step.common.order) {
        (BlockRaces::Unordered(order), Some(block)) => {
            order.atomic(block, (request.address, step.warp.thread(request.lane)), modify)
        }
        _ => modify(),
    })
}

/// The value that an atomic leaves in memory.
fn combine(access: &AtomicAccess, space: Space, old: u64, a: u64, b: u64) -> u64 {
    let &AtomicAccess { f, ty, packed, .. } = access;
    if matches!(ty, Scalar::F32 | Scalar::F16 | Scalar::Bf16) {
        let function = match f {
            Atomic::Min => Float2::Min,
            Atomic::Max => Float2::Max,
            _ => Float2::Add,
        };
        // In global memory, f32 subnormals count as zero. (PTX ISA, `atom`)
        let flush = ty == Scalar::F32 && !matches!(space, Space::Shared | Space::Cluster);
        let ty = FloatType { scalar: ty, packed };
        return float::combine(function, ty, flush, old as u32, a as u32).into();
    }
    combine_wide_or_integer(f, ty, old, a, b)
}

/// [`combine`] of 64-bit floats and of integers.
fn combine_wide_or_integer(f: Atomic, ty: Scalar, old: u64, a: u64, b: u64) -> u64 {
    match (f, ty) {
        (Atomic::Add, Scalar::F64) => (f64::from_bits(old) + f64::from_bits(a)).to_bits(),
        (Atomic::Add, _) => old.wrapping_add(a),
        (Atomic::Exchange, _) => a,
        (Atomic::CompareExchange, _) if old == a => b,
        (Atomic::CompareExchange, _) => old,
        (Atomic::Min, Scalar::S32) => (old as i32).min(a as i32) as u32 as u64,
        (Atomic::Max, Scalar::S32) => (old as i32).max(a as i32) as u32 as u64,
        (Atomic::Min, Scalar::S64) => (old as i64).min(a as i64) as u64,
        (Atomic::Max, Scalar::S64) => (old as i64).max(a as i64) as u64,
        (Atomic::Min, _) => old.min(a),
        (Atomic::Max, _) => old.max(a),
        (Atomic::And, _) => old & a,
        (Atomic::Or, _) => old | a,
        (Atomic::Xor, _) => old ^ a,
        (Atomic::Increment, _) if old >= a => 0,
        (Atomic::Increment, _) => old + 1,
        (Atomic::Decrement, _) if old == 0 || old > a => a,
        (Atomic::Decrement, _) => old - 1,
    }
}
