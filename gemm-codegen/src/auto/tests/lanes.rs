//! Where lanes multiply, without tensor cores.

use super::*;
use crate::form::{ByThreads, Form};
use crate::{Mma, Precision};

/// A product of f32 as it is.
pub(super) fn exact() -> Spec {
    let mut spec = product(Element::F32);
    spec.schedule.precision = None;
    spec
}

/// By register tiles of 8×8.
fn eight_by_eight() -> Spec {
    let mut spec = exact();
    let eight = NonZeroU16::new(8).unwrap();
    spec.schedule.mma = Some(Mma::Fma { m: eight, n: eight });
    spec
}

#[test]
fn f32_is_multiplied_as_it_is_by_every_candidate() {
    let mut written = exact();
    written.schedule.precision = Some(Precision::F32);
    for spec in [exact(), written] {
        let all = candidates(&spec).unwrap();
        assert_eq!(all.len(), 21, "as docs/support.md says");
        for candidate in all {
            assert_eq!(candidate.plan.factors(), Factors::Exact, "{}", candidate.id);
            assert_eq!(Footprint::of(&candidate.plan).form, Form::Lanes(ByThreads::CpAsync));
        }
    }
}

#[test]
fn the_shape_decides() {
    for target in [Target::Sm80, Target::Sm86, Target::Sm90, Target::Sm120] {
        let mut spec = exact();
        spec.schedule.targets = Some(vec![target]);
        let all = candidates(&spec).unwrap();
        let machine = Machine { target, ..H200 };
        let block = |shape| chosen(&all, shape, &machine).plan.warps().block;
        let [m, n, _] = block([4096; 3]);
        assert_eq!([m, n], [128, 256], "{target}");
        assert_eq!(block([1, 4096, 4096])[0], 8, "{target}");
        let small = |[m, n, _]: [u32; 3]| m * n <= 32 * 32;
        assert!(small(block([64; 3])) && small(block([128, 128, 16384])), "{target}");
        let columns = chosen(&all, [4096, 1, 4096], &machine);
        assert_eq!(columns.swapped, columns.plan.warps().block[0] == 8, "{target}");
    }
}

#[test]
fn more_work_takes_longer() {
    for plan in plans(&exact()) {
        let seconds = |shape| Footprint::of(&plan).seconds(shape, 1, &H200);
        let one = seconds([512, 512, 512]);
        assert!(one > 1e-6 && one < 1e-3, "{one}");
        for shape in [[4096, 512, 512], [512, 4096, 512], [512, 512, 4096]] {
            assert!(seconds(shape) > one);
        }
    }
}

#[test]
fn the_correction_is_of_schedules_that_are_candidates() {
    let schedules: Vec<fitted::Schedule> = plans(&exact())
        .iter()
        .map(|plan| {
            let [m, n, k] = plan.warps().block;
            ([m, n, k * Element::F32.bytes()], plan.warps().grid, plan.ring().stages)
        })
        .collect();
    for (schedule, _) in fitted::lanes::CORRECTIONS {
        assert!(schedules.contains(&schedule), "{schedule:?}");
    }
}

#[test]
fn a_large_product_takes_what_was_measured() {
    // 50 TFLOP/s (docs/performance.md).
    let all = candidates(&exact()).unwrap();
    let shape = [8192; 3];
    let seconds = Footprint::of(&chosen(&all, shape, &H200).plan).seconds(shape, 1, &H200);
    let rate = 2.0 * 8192f64.powi(3) / seconds;
    assert!((48e12..54e12).contains(&rate), "{rate:e}");
}

#[test]
fn their_own_tile_comes_once_and_smaller_ones_with_it() {
    let plans = plans(&eight_by_eight());
    let cut = |plan: &Plan| (plan.warps().block, plan.warps().grid);
    assert_eq!(cut(&plans[0]), ([128, 256, 16], [4, 4, 1]));
    let wide = plans.iter().filter(|plan| plan.warps().block == [128, 256, 16]);
    assert_eq!(wide.count(), 1);
    assert!(plans.iter().any(|plan| cut(plan) == ([128, 128, 16], [4, 2, 1])));
}
