//! Schedules of extremes.

use std::num::NonZeroU16;

use gemm_codegen::{
    Accumulator, Allow, CacheOperator, CachePolicy, CopyAtom, KOrder, Mma, PerSide, Precision,
    Raster, Schedule, Splits, Swizzle, Target, Walk, WgmmaShape,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{extent, name};
use crate::shared::fma;

fn swizzle() -> impl Strategy<Value = Swizzle> {
    prop_oneof![
        4 => (0..5u8, 2..5u8, 0..8u8).prop_map(|(b, m, s)| Swizzle { b, m, s }),
        1 => any::<(u8, u8, u8)>().prop_map(|(b, m, s)| Swizzle { b, m, s }),
        1 => Just(Swizzle { b: 255, m: 255, s: 255 }),
    ]
}

fn copy() -> impl Strategy<Value = CopyAtom> {
    let policy = || option::of(select(CachePolicy::ALL.to_vec()));
    prop_oneof![
        (extent(), select(CacheOperator::ALL.to_vec()), policy())
            .prop_map(|(bytes, cache, policy)| CopyAtom::CpAsync { bytes, cache, policy }),
        extent().prop_map(|bytes| CopyAtom::LdGlobal { bytes }),
        policy().prop_map(|policy| CopyAtom::Tma { policy }),
    ]
}

fn mma() -> impl Strategy<Value = Mma> {
    prop_oneof![
        2 => select(Mma::ALL.to_vec()),
        1 => [extent(), extent()].prop_map(|[m, n]| Mma::Fma { m, n }),
        1 => [extent(), extent()]
            .prop_map(|[n, k]| Mma::Wgmma(Some(WgmmaShape { n, k }))),
        1 => [1..=12u16, 1..=12u16].prop_map(|[m, n]| fma(m, n).unwrap()),
    ]
}

fn targets() -> impl Strategy<Value = Vec<Target>> {
    prop_oneof![
        3 => vec(select(Target::ALL.to_vec()), 0..4),
        1 => Just(Vec::new()),
        1 => Just(vec![Target::Sm90; 1000]),
    ]
}

/// The keys of the tiles and of who multiplies them; the others are left out.
fn tiling() -> impl Strategy<Value = Schedule> {
    let warps_along_k = prop_oneof![2 => Just(NonZeroU16::MIN), 1 => extent()];
    let keys = (
        option::weighted(0.9, [extent(), extent(), extent()]),
        option::of([extent().boxed(), extent().boxed(), warps_along_k.boxed()]),
        option::of(mma()),
        option::weighted(0.1, [extent(), extent()]),
        option::weighted(0.2, select(Accumulator::ALL.to_vec())),
        option::weighted(0.1, select(Walk::ALL.to_vec())),
        option::weighted(0.1, [extent(), extent()]),
        option::weighted(0.1, select(KOrder::ALL.to_vec())),
    );
    keys.prop_map(|(tile, warps, mma, warpgroups, acc, walk, cluster, k_order)| Schedule {
        tile,
        warps,
        mma,
        warpgroups,
        acc,
        walk,
        cluster,
        k_order,
        ..Schedule::default()
    })
}

pub(super) fn schedule() -> impl Strategy<Value = Schedule> {
    let raster = prop_oneof![extent().prop_map(Raster::AlongM), extent().prop_map(Raster::AlongN)];
    let split_k = prop_oneof![extent().prop_map(Splits::Every), extent().prop_map(Splits::Tail)];
    let copy = [option::of(copy()), option::of(copy())];
    let swizzle = [option::of(swizzle()), option::of(swizzle())];
    let stages = option::of(extent());
    let raster = option::of(raster);
    let split_k = option::weighted(0.3, split_k);
    let pdl = option::weighted(0.2, vec(name(), 0..4));
    let targets = option::of(targets());
    let precision = option::weighted(0.3, select(Precision::ALL.to_vec()));
    let keys =
        (tiling(), copy, swizzle, stages, raster, split_k, pdl, targets, any::<bool>(), precision);
    keys.prop_map(
        |(tiling, copy, swizzle, stages, raster, split_k, pdl, targets, allow, precision)| {
            Schedule {
                precision,
                copy: PerSide { a: copy[0], b: copy[1] },
                swizzle: PerSide { a: swizzle[0], b: swizzle[1] },
                stages,
                raster,
                split_k,
                pdl,
                targets,
                allow: if allow { vec![Allow::BankConflicts] } else { Vec::new() },
                ..tiling
            }
        },
    )
}
