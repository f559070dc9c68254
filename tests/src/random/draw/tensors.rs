//! Schedules whose tiles a unit of the SM copies.

use fastrand::Rng;
use gemm_codegen::{CopyAtom, Element, Mma, PerSide, Precision, Schedule, Swizzle, Target};

use super::orders::Orders;
use super::pick::pick;
use super::schedule::{extent, kept, policy};

/// Makes a schedule one of tensor copies now and then: less often where the operands are stored as
/// these cannot read them.
pub(super) fn of(rng: &mut Rng, schedule: &mut Schedule, orders: Orders, element: Element) {
    let along_k = [orders.a_k_contiguous, orders.b_k_contiguous];
    let readable = along_k == [true; 2] || element.bytes() == 2;
    if rng.u8(0..if readable { 4 } else { 60 }) > 0 {
        return;
    }
    let [a, b] = [(); 2].map(|()| Some(CopyAtom::Tma { policy: policy(rng) }));
    schedule.copy = pick(
        rng,
        &[PerSide { a, b }, PerSide { a, b }, PerSide { a, b: None }, PerSide { a: None, b }],
    );
    let warps = pick(rng, &[[1, 1], [1, 2], [2, 1], [2, 2], [2, 2], [2, 4], [3, 1], [1, 3]]);
    let of_warp = of_warp(rng, schedule.mma.is_some_and(|mma| is_shallow(mma, element)));
    let bytes = element.bytes() as u16;
    let deep = pick(rng, &[128; 14].into_iter().chain([64, 256]).collect::<Vec<_>>()) / bytes;
    let [m, n] = extents(rng, along_k, warps, of_warp);
    let along_k = pick(rng, &[1, 1, 1, 1, 2, 2, 3, 4]);
    let deep = if rng.u8(0..16) > 0 { deep * along_k } else { deep };
    schedule.tile = kept(rng, 0.85, [m, n, deep].map(extent));
    schedule.warps = kept(rng, 0.6, [warps[0], warps[1], along_k].map(extent));
    prefer_tensor_cores(rng, schedule, element);
    let stages = extent(rng.u16(2..=4));
    schedule.stages = kept(rng, 0.6, stages);
    let m = (16 / bytes).ilog2() as u8;
    schedule.swizzle = match rng.u8(0..8) {
        0..=3 => PerSide { a: None, b: None },
        4 | 5 => PerSide { a: Some(Swizzle { b: 3, m, s: 3 }), b: None },
        6 => PerSide { a: None, b: Some(Swizzle { b: 3, m, s: 3 }) },
        // One that was drawn for other rows.
        _ => schedule.swizzle,
    };
    if rng.u8(0..8) > 0 {
        let all = Target::ALL.into_iter().filter(|target| target.capability() >= (9, 0));
        let count = rng.usize(1..3);
        let some = rng.choose_multiple(all, count);
        schedule.targets = kept(rng, 0.5, some);
    }
}

/// Has tensor cores multiply, more often than not.
fn prefer_tensor_cores(rng: &mut Rng, schedule: &mut Schedule, element: Element) {
    if matches!(schedule.mma, Some(Mma::Fma { .. })) && rng.u8(0..5) > 0 {
        schedule.mma = None;
    }
    if element == Element::F32 && schedule.mma.is_none() && rng.u8(0..8) > 0 {
        schedule.precision = Some(Precision::Tf32);
    }
}

/// The rows and columns of a warp. A shallow atom has half of a deep one's registers for each of them.
fn of_warp(rng: &mut Rng, shallow: bool) -> [u16; 2] {
    match shallow {
        true => {
            [pick(rng, &[64, 64, 64, 64, 96, 128, 32]), pick(rng, &[32, 32, 32, 32, 64, 64, 16])]
        }
        false => [
            pick(rng, &[32, 32, 32, 48, 48, 64, 64, 80, 96, 16]),
            pick(rng, &[16, 16, 32, 32, 32, 48, 48, 64, 64, 24]),
        ],
    }
}

/// The extents of a tile for this grid of warps and this warp tile: where rows run along M or N
/// mostly those of whole panels, which warps share in equal parts.
fn extents(rng: &mut Rng, along_k: [bool; 2], warps: [u16; 2], of_warp: [u16; 2]) -> [u16; 2] {
    [0, 1].map(|axis| {
        let (count, extent) = (warps[axis], of_warp[axis]);
        let whole = count * extent.next_multiple_of(64);
        let half = count * extent.next_multiple_of(32);
        match rng.u8(0..8) {
            _ if along_k[axis] => count * extent,
            0 => count * extent,
            1..=4 if half.is_multiple_of(64) => half,
            _ => whole,
        }
    })
}

/// Whether a row of an atom's A has 16 bytes and not 32.
fn is_shallow(mma: Mma, element: Element) -> bool {
    !matches!(mma, Mma::Fma { .. }) && mma.shape()[2] * element.bytes() <= 16
}
