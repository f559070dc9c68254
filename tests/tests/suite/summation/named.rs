//! Pairs of schedules that differ in one key.

use std::num::NonZeroU16;

use fastrand::Rng;
use gemm_codegen::{
    Accumulator, Element, KOrder, Mma, Plan, Precision, Promotion, Schedule, Splits, Target, Walk,
};

use super::product::{Factors, device};
use crate::Test;

pub(super) fn tests() -> Vec<Test> {
    tests![
        keys_of_the_order_change_bits,
        keys_of_copies_and_walks_change_no_bit,
        warps_and_warpgroups_multiply_planes_alike,
        factors_of_tf32_are_rounded_by_who_copies_them,
        a_k_step_of_sm_80_is_two_of_half_its_k,
        zeros_beyond_k_change_the_sign_of_a_zero_alone,
        a_launch_decides_which_tiles_are_summed_backwards,
    ]
}

/// A K of 11 tiles of 64 and 21 of 32, whose halves end at different places.
const SHAPE: [usize; 3] = [70, 54, 651];

fn extent(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("no extent is 0")
}

fn tiled(tile: [u16; 3], mma: Mma) -> Schedule {
    Schedule { tile: Some(tile.map(extent)), mma: Some(mma), ..Schedule::default() }
}

/// The schedule that the others differ from.
fn usual() -> Schedule {
    tiled([32, 32, 64], Mma::M16n8k16)
}

fn groups(tile: [u16; 3]) -> Schedule {
    tiled(tile, Mma::Wgmma(None))
}

fn by_two() -> Option<Splits> {
    Some(Splits::Every(extent(2)))
}

fn promoted(k: u16) -> Option<Promotion> {
    Some(Promotion::Every(extent(k)))
}

fn factors(element: Element) -> Factors {
    Factors::random(&mut Rng::with_seed(21), element, SHAPE)
}

/// A plan, and the bits of its kernel on this target.
#[track_caller]
fn run(factors: &Factors, target: Target, schedule: Schedule) -> (Plan, Vec<u64>) {
    let plan = factors.plan(schedule.clone()).unwrap_or_else(|| panic!("illegal: {schedule:?}"));
    let bits = factors.bits(&device(target), &plan).expect("a launch");
    (plan, bits)
}

/// Bits are equal if and only if summations are.
#[track_caller]
fn compare(factors: &Factors, one: Schedule, other: Schedule, equal: bool) {
    let [(one, bits), (other, other_bits)] =
        [one, other].map(|schedule| run(factors, Target::Sm90, schedule));
    let [one, other] = [one, other].map(|plan| plan.summation());
    assert_eq!(one == other, equal, "{one}\n{other}");
    assert_eq!(bits == other_bits, equal, "{one}\n{other}");
}

fn keys_of_the_order_change_bits() {
    let halves = factors(Element::F16);
    let warps_along_k = Some([1, 1, 2].map(extent));
    let shallow = |schedule| Schedule { tile: Some([32, 32, 32].map(extent)), ..schedule };
    let split = Schedule { split_k: by_two(), ..usual() };
    let of_warps = Schedule { warps: warps_along_k, ..usual() };
    let pairs = [
        (usual(), tiled([32, 32, 64], Mma::M16n8k8)),
        (usual(), Schedule { split_k: by_two(), ..usual() }),
        (usual(), Schedule { promote: promoted(64), ..usual() }),
        (usual(), Schedule { acc: Some(Accumulator::F16), ..usual() }),
        (usual(), of_warps.clone()),
        (usual(), tiled([32, 32, 64], Mma::Fma { m: extent(4), n: extent(4) })),
        (
            Schedule { promote: promoted(64), ..usual() },
            Schedule { promote: promoted(128), ..usual() },
        ),
        (split.clone(), shallow(split.clone())),
        (of_warps.clone(), shallow(of_warps)),
        (split.clone(), Schedule { split_k: Some(Splits::Every(extent(4))), ..split }),
    ];
    for (one, other) in pairs {
        compare(&halves, one, other, false);
    }
    let floats8 = factors(Element::E4m3);
    let groups = Schedule { promote: Some(Promotion::Never), ..groups([64, 32, 128]) };
    compare(&floats8, tiled([32, 32, 64], Mma::M16n8k32), groups, false);
}

fn keys_of_copies_and_walks_change_no_bit() {
    let halves = factors(Element::F16);
    let split = Schedule { split_k: by_two(), ..usual() };
    let promote = promoted(128);
    let pairs = [
        (usual(), Schedule { stages: Some(extent(2)), ..tiled([64, 16, 32], Mma::M16n8k16) }),
        (usual(), Schedule { warps: Some([1, 2, 1].map(extent)), ..usual() }),
        (usual(), groups([64, 32, 64])),
        (usual(), Schedule { cluster: Some([2, 1].map(extent)), ..groups([64, 32, 128]) }),
        (usual(), Schedule { walk: Some(Walk::Pingpong), ..groups([64, 16, 64]) }),
        (split, Schedule { split_k: by_two(), ..groups([64, 32, 64]) }),
        (
            Schedule { promote, ..usual() },
            Schedule { promote, stages: Some(extent(4)), ..groups([64, 32, 64]) },
        ),
    ];
    for (one, other) in pairs {
        compare(&halves, one, other, true);
    }
    let doubles = factors(Element::F64);
    let [first, second] = [Mma::M8n8k4, Mma::M16n8k16].map(|mma| tiled([32, 32, 16], mma));
    compare(&doubles, first.clone(), second, true);
    compare(&doubles, first, tiled([32, 32, 8], Mma::Fma { m: extent(2), n: extent(4) }), true);
}

fn warps_and_warpgroups_multiply_planes_alike() {
    let singles = factors(Element::F32);
    for precision in [Precision::F16x3, Precision::Bf16x6] {
        let of = |schedule| Schedule {
            precision: Some(precision),
            promote: promoted(64),
            stages: Some(extent(2)),
            ..schedule
        };
        let [by_warps, by_groups] =
            [tiled([32, 32, 32], Mma::M16n8k16), groups([64, 32, 64])].map(of);
        compare(&singles, by_warps.clone(), by_groups, true);
        compare(&singles, by_warps, of(tiled([32, 32, 32], Mma::M16n8k8)), false);
    }
}

fn factors_of_tf32_are_rounded_by_who_copies_them() {
    let mut singles = factors(Element::F32);
    // Half way between two numbers of 11 significant bits.
    singles.a.fill(1.0 + f64::exp2(-11.0));
    let of = |schedule| Schedule { precision: Some(Precision::Tf32), ..schedule };
    let [by_threads, by_tensors] =
        [tiled([32, 32, 32], Mma::M16n8k8), groups([64, 32, 32])].map(of);
    compare(&singles, by_threads, by_tensors, false);
}

/// Different summations may give the same bits.
fn a_k_step_of_sm_80_is_two_of_half_its_k() {
    let halves = factors(Element::F16);
    let of = |mma| run(&halves, Target::Sm80, tiled([32, 32, 64], mma));
    let [(deep, bits), (shallow, other)] = [Mma::M16n8k16, Mma::M16n8k8].map(of);
    assert_ne!(deep.summation(), shallow.summation());
    assert_eq!(bits, other);
}

/// The bit that a summation leaves out.
fn zeros_beyond_k_change_the_sign_of_a_zero_alone() {
    let mma = Mma::Fma { m: extent(4), n: extent(4) };
    let shape @ [m, n, k] = [5, 3, 12];
    let tiny = f64::exp2(-80.0);
    let (a, b) = (vec![tiny; m * k], vec![-tiny; n * k]);
    let singles = Factors { element: Element::F32, shape, a, b };
    let of = |block_k| run(&singles, Target::Sm90, tiled([64, 64, block_k], mma));
    let [(whole, bits), (padded, other)] = [4, 8].map(of);
    assert_eq!(whole.summation(), padded.summation());
    let zero = |sign: f32| vec![u64::from(sign.to_bits()); m * n];
    assert_eq!((bits, other), (zero(-0.0), zero(0.0)));
}

fn a_launch_decides_which_tiles_are_summed_backwards() {
    let halves = Factors::random(&mut Rng::with_seed(22), Element::F16, [400, 90, 300]);
    let walk = Schedule { walk: Some(Walk::Cooperative), ..groups([64, 32, 64]) };
    let serpentine = Schedule { k_order: Some(KOrder::Serpentine), ..walk.clone() };
    compare(&halves, walk, serpentine, false);
}
