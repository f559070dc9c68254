//! Which keys of a schedule the order of a sum depends on. `tests/tests/suite/summation` compares the bits.

use gemm_codegen::{
    Accumulator, Element, KOrder, Mma, Precision, Promotion, Raster, Schedule, Spec, Splits,
    Summation, Walk,
};

use super::shared::{F16, TN, cp_async, extent, fma, plan, product, with};
use gemm_codegen::CacheOperator::Ca;

/// The summation of a product of these elements, with a schedule changed so.
fn of(element: Element, change: impl FnOnce(&mut Schedule)) -> Summation {
    plan(&with(base(element), change)).summation()
}

fn base(element: Element) -> Spec {
    with(product(element, TN), |schedule| schedule.tile = Some([64, 64, 64].map(extent)))
}

fn halves(change: impl FnOnce(&mut Schedule)) -> Summation {
    of(F16, change)
}

fn wgmma(change: impl FnOnce(&mut Schedule)) -> Summation {
    halves(|schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        change(schedule);
    })
}

fn tile(schedule: &mut Schedule, tile: [u16; 3]) {
    schedule.tile = Some(tile.map(extent));
}

#[test]
fn how_tiles_are_copied_and_walked_does_not_matter() {
    let sums = halves(|_| ());
    let same = [
        halves(|schedule| tile(schedule, [128, 32, 32])),
        halves(|schedule| schedule.stages = Some(extent(2))),
        halves(|schedule| schedule.warps = Some([1, 2, 1].map(extent))),
        halves(|schedule| schedule.copy.a = cp_async(4, Ca)),
        halves(|schedule| schedule.raster = Some(Raster::AlongN(extent(3)))),
        halves(|schedule| schedule.split_k = Some(Splits::Every(extent(1)))),
        wgmma(|_| ()),
        wgmma(|schedule| schedule.cluster = Some([2, 1].map(extent))),
        wgmma(|schedule| schedule.walk = Some(Walk::Pingpong)),
        wgmma(|schedule| tile(schedule, [64, 64, 128])),
    ];
    for other in same {
        assert_eq!(other, sums);
    }
    assert!(sums.is_of_k_alone());
}

#[test]
fn what_changes_the_order_is_told_apart() {
    let different = [
        halves(|_| ()),
        halves(|schedule| schedule.mma = Some(Mma::M16n8k8)),
        halves(|schedule| schedule.mma = fma(4, 4)),
        halves(|schedule| schedule.acc = Some(Accumulator::F16)),
        halves(|schedule| schedule.split_k = Some(Splits::Every(extent(2)))),
        halves(|schedule| schedule.split_k = Some(Splits::Every(extent(4)))),
        halves(|schedule| {
            tile(schedule, [64, 64, 32]);
            schedule.split_k = Some(Splits::Every(extent(2)));
        }),
        halves(|schedule| schedule.split_k = Some(Splits::Tail(extent(2)))),
        halves(|schedule| schedule.promote = Some(Promotion::Every(extent(64)))),
        halves(|schedule| schedule.promote = Some(Promotion::Every(extent(128)))),
        halves(|schedule| schedule.warps = Some([1, 2, 2].map(extent))),
        halves(|schedule| {
            tile(schedule, [64, 64, 32]);
            schedule.warps = Some([1, 2, 2].map(extent));
        }),
        wgmma(|schedule| {
            schedule.walk = Some(Walk::Cooperative);
            schedule.k_order = Some(KOrder::Serpentine);
        }),
    ];
    for (number, one) in different.iter().enumerate() {
        for other in &different[..number] {
            assert_ne!(one, other);
        }
        let line = one.to_string();
        assert!(!line.contains('\n') && line.len() < 150, "{line}");
    }
}

#[test]
fn splits_in_clusters_and_in_a_workspace_add_alike() {
    let by_two = Some(Splits::Every(extent(2)));
    assert_eq!(
        wgmma(|schedule| schedule.split_k = by_two),
        halves(|schedule| schedule.split_k = by_two)
    );
}

#[test]
fn promotion_counts_k_and_not_tiles() {
    let every = |block_k| {
        halves(|schedule| {
            tile(schedule, [64, 64, block_k]);
            schedule.promote = Some(Promotion::Every(extent(128)));
        })
    };
    assert_eq!(every(32), every(64));
}

#[test]
fn planes_and_rounded_factors_are_named() {
    let of = |precision, mma| {
        of(Element::F32, |schedule| {
            schedule.precision = Some(precision);
            schedule.mma = mma;
        })
    };
    let wgmma = Some(Mma::Wgmma(None));
    let planes = of(Precision::F16x3, Some(Mma::M16n8k16));
    assert_eq!(planes, of(Precision::F16x3, wgmma));
    assert_ne!(planes, of(Precision::F16x3, Some(Mma::M16n8k8)));
    assert_ne!(planes, of(Precision::Bf16x6, wgmma));
    // Threads round to tf32 with ties away from zero, tensor copies with ties to even.
    let [by_threads, by_tensors] = [Some(Mma::M16n8k8), wgmma].map(|mma| of(Precision::Tf32, mma));
    assert_ne!(by_threads, by_tensors);
    assert_eq!(
        planes.to_string(),
        "f16 in f32, 16 of K at once by tensor cores, ascending; 3 products of f16x3 per 32 of K, least first; \
         promoted to f32 every 64 of K"
    );
}

#[test]
fn float8_is_added_differently_by_each_instruction() {
    let of = |mma, promote| {
        of(Element::E4m3, |schedule| {
            tile(schedule, [64, 64, 128]);
            schedule.mma = Some(mma);
            schedule.promote = Some(promote);
        })
    };
    let never = Promotion::Never;
    let [by_warps, by_groups] = [Mma::M16n8k32, Mma::Wgmma(None)].map(|mma| of(mma, never));
    assert_ne!(by_warps, by_groups);
    assert_ne!(by_groups, of(Mma::Wgmma(None), Promotion::Every(extent(128))));
}

#[test]
fn doubles_are_added_one_by_one_whatever_multiplies() {
    let by = |mma| {
        of(Element::F64, |schedule| {
            schedule.tile = Some([64, 32, 16].map(extent));
            schedule.mma = mma;
        })
    };
    let one = by(Some(Mma::M8n8k4));
    assert_eq!(one, by(Some(Mma::M16n8k16)));
    assert_eq!(one, by(fma(2, 2)));
    assert_eq!(one.to_string(), "f64 in f64, one fma per k, ascending");
}

#[test]
fn integers_have_one_summation() {
    let plain = of(Element::I8, |_| ());
    let split = of(Element::I8, |schedule| schedule.split_k = Some(Splits::Tail(extent(4))));
    assert_eq!([&plain, &split], [&Summation::Integers; 2]);
    assert!(split.is_of_k_alone());
}

#[test]
fn an_order_that_the_launch_decides_is_of_one_schedule() {
    let tail = |stages| {
        halves(|schedule| {
            schedule.split_k = Some(Splits::Tail(extent(4)));
            schedule.stages = Some(extent(stages));
        })
    };
    assert_eq!(tail(3), tail(3));
    assert_ne!(tail(2), tail(3), "how many blocks run at a time may differ");
    assert!(!tail(3).is_of_k_alone());
}
