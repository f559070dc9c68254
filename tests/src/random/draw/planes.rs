//! Schedules of f32 factors that are told as planes.

use fastrand::Rng;
use gemm_codegen::{
    Accumulator, Allow, Atom, Availability, CopyAtom, Element, Mma, PerSide, Precision, Schedule,
};

use super::orders::Orders;
use super::pick::pick;
use super::schedule::{extent, kept, promotion, raster, split_k, swizzles, targets, tile};

/// Draws a schedule by warps, of whole units more often than not.
pub(super) fn draw(
    rng: &mut Rng,
    orders: Orders,
    (warps, copy): ([u16; 3], PerSide<Option<CopyAtom>>),
    needed: &[Availability],
) -> Schedule {
    let mma = pick(rng, &[Mma::M16n8k16, Mma::M16n8k16, Mma::M16n8k8]);
    let atom = Atom::find(mma, Element::F16, Element::F16);
    let [m, n, _] = tile(rng, warps, mma, false);
    let three = rng.u8(0..4) == 0;
    let units = 32 * warps[2] * pick(rng, &[1, 1, 1, 2, 3]);
    let k = units + if rng.u8(0..12) == 0 { 8 } else { 0 };
    let through_registers =
        [copy.a, copy.b].into_iter().flatten().any(|atom| atom.cache().is_none());
    let stages = extent(if through_registers { 2 } else { rng.u16(2..=4) });
    Schedule {
        tile: kept(rng, 0.9, [m, n, k].map(extent)),
        warps: kept(rng, 0.7, warps.map(extent)),
        mma: kept(rng, 0.7, mma),
        precision: Some(if three { Precision::Bf16x6 } else { Precision::F16x3 }),
        acc: kept(rng, 0.1, Accumulator::F32),
        promote: promotion(rng, 0.3, k),
        copy,
        swizzle: swizzles(
            rng,
            orders,
            ([Element::F16; 2], mma),
            copy,
            [m, n, k * if three { 3 } else { 2 }],
        ),
        stages: kept(rng, 0.6, stages),
        raster: raster(rng),
        split_k: split_k(rng),
        targets: targets(rng, needed.iter().copied().chain(atom.map(|atom| atom.on))),
        allow: if rng.f32() < 0.4 { vec![Allow::BankConflicts] } else { Vec::new() },
        ..Schedule::default()
    }
}
