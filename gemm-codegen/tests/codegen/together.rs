//! Independent mistakes are reported together: none hides another.

use gemm_codegen::{
    Accumulator, Axis, CacheOperator, Element, Field, Mma, PerSide, Rule, Schedule, Side, Spec,
    Target, WgmmaShape,
};

use super::shared::{F16, TN, broken, cp_async, extent, fma, on, product, swizzle, tn, with};

#[test]
fn independent_mistakes_are_reported_together() {
    let mut spec = tn();
    spec.outputs[0].indices.names_mut()[1] = "K".to_owned();
    spec.schedule = Schedule {
        tile: Some([100, 128, 33].map(extent)),
        warps: Some([2, 3, 1].map(extent)),
        copy: PerSide { a: cp_async(12, CacheOperator::Ca), b: cp_async(8, CacheOperator::Cg) },
        stages: Some(extent(1)),
        targets: Some(vec![Target::Sm75, Target::Sm75]),
        ..Schedule::default()
    };
    assert_eq!(
        broken(&spec),
        [
            (Rule::ContractionIndices, Field::OutputIndex(0, 1)),
            (Rule::TargetsNamed, Field::Target(1)),
            (Rule::CopySize, Field::CopyBytes(Side::A)),
            (Rule::CopySize, Field::CopyCache(Side::B)),
            (Rule::CopyOnTarget, Field::Target(0)),
            (Rule::CopyOnTarget, Field::Target(1)),
            (Rule::AtomsTileWarp, Field::Tile(Axis::M)),
            (Rule::WarpsTileBlock, Field::Warps(Axis::N)),
            (Rule::AtomsTileK, Field::Tile(Axis::K)),
            (Rule::PipelineDepth, Field::Stages),
        ]
    );
}

/// A product of warpgroups with this tile.
fn grouped(tile: [u16; 3], groups: [u16; 2]) -> Spec {
    with(tn(), |schedule| {
        schedule.mma = Some(Mma::Wgmma(None));
        schedule.tile = Some(tile.map(extent));
        schedule.warpgroups = Some(groups.map(extent));
    })
}

#[test]
fn a_ring_that_does_not_fit_hides_no_tile() {
    let ring = (Rule::SharedMemoryFits, Field::Stages);
    let staged = |spec, stages| with(spec, |schedule| schedule.stages = Some(extent(stages)));
    let rows = (Rule::TensorCopy, Field::Tile(Axis::N));
    assert_eq!(broken(&staged(grouped([64, 576, 128], [1, 3]), 5)), [ring, rows]);
    // Not even one stage fits.
    let found = broken(&staged(grouped([64, 4608, 128], [1, 3]), 5));
    assert!([ring, rows].iter().all(|rule| found.contains(rule)), "{found:?}");

    let swizzled = staged(with(tn(), |schedule| schedule.swizzle.b = swizzle([3, 3, 1])), 200);
    let inverts = (Rule::SwizzleInvertsItself, Field::SwizzleBits(Side::B, 2));
    assert_eq!(broken(&swizzled), [ring, inverts]);
    let conflicts = staged(with(tn(), |schedule| schedule.swizzle.a = swizzle([0, 3, 3])), 200);
    assert_eq!(broken(&conflicts), [ring, (Rule::BankConflictFree, Field::Swizzle(Side::A))]);
    let narrow = with(tn(), |schedule| {
        schedule.tile = Some([128, 128, 24].map(extent));
        schedule.mma = Some(Mma::M16n8k8);
        schedule.swizzle.a = swizzle([5, 3, 5]);
    });
    let span = (Rule::SwizzleSpanDividesTile, Field::Swizzle(Side::A));
    assert_eq!(broken(&staged(narrow, 200)), [ring, span]);
}

#[test]
fn a_ring_that_does_not_fit_hides_no_staging() {
    let spec = with(on(tn(), &[Target::Sm86]), |schedule| {
        schedule.mma = Some(Mma::M16n8k8);
        schedule.tile = Some([64, 1024, 8].map(extent));
        schedule.warps = Some([4, 4, 1].map(extent));
        schedule.stages = Some(extent(100));
    });
    let [ring, staging] =
        [Field::Stages, Field::Tile(Axis::N)].map(|at| (Rule::SharedMemoryFits, at));
    let found = broken(&spec);
    assert!([ring, staging].iter().all(|rule| found.contains(rule)), "{found:?}");
    let found = broken(&with(spec, |schedule| schedule.stages = Some(extent(2))));
    assert!(found.contains(&staging) && !found.contains(&ring), "{found:?}");
}

#[test]
fn an_atom_that_a_target_lacks_hides_nothing_of_its_tiles() {
    let spec = with(on(tn(), &[Target::Sm75]), |schedule| {
        schedule.mma = Some(Mma::M16n8k16);
        schedule.swizzle.a = swizzle([3, 3, 1]);
        schedule.acc = Some(Accumulator::I32);
    });
    let expected = [
        (Rule::AtomOnTarget, Field::Target(0)),
        (Rule::AccumulatorOfAtom, Field::Accumulator),
        (Rule::SwizzleInvertsItself, Field::SwizzleBits(Side::A, 2)),
    ];
    assert_eq!(broken(&spec), expected);
}

#[test]
fn columns_that_no_instruction_has_hide_nothing_of_the_copies() {
    let columns = (Rule::WarpgroupColumns, Field::Tile(Axis::N));
    let copied = |axis| (Rule::TensorCopy, Field::Tile(axis));
    let found = broken(&grouped([64, 320, 32], [1, 1]));
    assert_eq!(found, [columns, copied(Axis::K)], "the columns that are named are those of a box");
}

#[test]
fn an_atom_of_other_elements_hides_nothing_of_the_copies() {
    let spec = with(product(Element::Bf16, TN), |schedule| {
        schedule.mma = Some(Mma::M16n8k32);
        schedule.tile = Some([128, 128, 100].map(extent));
        schedule.swizzle.b = swizzle([3, 3, 1]);
    });
    let expected = [
        (Rule::AtomsTileK, Field::Tile(Axis::K)),
        (Rule::ElementsMatchAtom, Field::Mma),
        (Rule::SwizzleInvertsItself, Field::SwizzleBits(Side::B, 2)),
    ];
    for rule in expected {
        assert!(broken(&spec).contains(&rule), "{rule:?} of {:?}", broken(&spec));
    }
    let spec = with(product(Element::F32, TN), |schedule| {
        schedule.precision = None;
        schedule.mma = fma(40, 40);
        schedule.swizzle.b = swizzle([3, 3, 1]);
        schedule.copy = PerSide::both(cp_async(16, CacheOperator::Cg));
    });
    let found = broken(&spec);
    assert!(found.contains(&(Rule::RegisterTileFits, Field::FmaExtent(Axis::M))), "{found:?}");
    let inverts = (Rule::SwizzleInvertsItself, Field::SwizzleBits(Side::B, 2));
    assert!(found.contains(&inverts), "{found:?}");
}

#[test]
fn a_copy_that_does_not_exist_hides_no_swizzle() {
    let spec = with(tn(), |schedule| {
        schedule.copy = PerSide::both(cp_async(12, CacheOperator::Ca));
        schedule.swizzle.b = swizzle([3, 3, 1]);
    });
    let size = |side| (Rule::CopySize, Field::CopyBytes(side));
    let inverts = (Rule::SwizzleInvertsItself, Field::SwizzleBits(Side::B, 2));
    assert_eq!(broken(&spec), [size(Side::A), size(Side::B), inverts]);
}

#[test]
fn an_index_that_is_wrong_hides_nothing_of_the_atom() {
    let mut spec = with(product(F16, TN), |schedule| {
        schedule.acc = Some(Accumulator::I32);
        schedule.mma = Some(Mma::M16n8k16);
        schedule.targets = Some(vec![Target::Sm75]);
    });
    spec.outputs[0].indices.names_mut()[1] = "K".to_owned();
    let found = broken(&spec);
    for rule in [
        (Rule::ContractionIndices, Field::OutputIndex(0, 1)),
        (Rule::AtomOnTarget, Field::Target(0)),
        (Rule::AccumulatorOfAtom, Field::Accumulator),
    ] {
        assert!(found.contains(&rule), "{rule:?} of {found:?}");
    }
}

/// The size of this tile in bytes exceeds 32 bits.
#[test]
fn a_tile_that_no_block_can_hold_is_judged() {
    let spec = with(tn(), |schedule| {
        schedule.mma = Some(Mma::Wgmma(Some(WgmmaShape { n: extent(256), k: extent(1) })));
        schedule.warps = Some([1, 1, 4096].map(extent));
        schedule.warpgroups = Some([1, 64].map(extent));
        schedule.swizzle.b = swizzle([1, 2, 0]);
    });
    assert!(!broken(&spec).is_empty());
}
