//! Products of f32 without tensor cores: what is derived, and which tiles are transposed.

use gemm_codegen::{
    Axis, CacheOperator, Element, Factors, Field, Mma, PerSide, Plan, Precision, Rule, Schedule,
    Side, Spec, Swizzle, Target, TileOrder,
};

use super::shared::{self, Indices, TN, broken, cp_async, extent, fma, kernel, swizzle, with};

const NN: [Indices<'_>; 3] = [["M", "K"], ["K", "N"], ["M", "N"]];

/// A product in these orders by `fma(8, 8)`.
pub(super) fn product(element: Element, indices: [Indices<'_>; 3]) -> Spec {
    with(shared::product(element, indices), |schedule| {
        (schedule.mma, schedule.precision) = (fma(8, 8), None);
    })
}

/// The plan of a product of f32, whose schedule is changed.
fn plan(indices: [Indices<'_>; 3], change: impl FnOnce(&mut Schedule)) -> Plan {
    shared::plan(&with(product(Element::F32, indices), change))
}

/// Its tile and its warps.
fn cut(change: impl FnOnce(&mut Schedule)) -> ([u32; 3], [u32; 3]) {
    let plan = plan(TN, change);
    (plan.warps().block, plan.warps().grid)
}

/// The plan of a product of f32 whose schedule names no atom.
fn bare(change: impl FnOnce(&mut Schedule)) -> Plan {
    let spec = with(shared::product(Element::F32, TN), |schedule| schedule.precision = None);
    shared::plan(&with(spec, change))
}

const WIDE: ([u32; 3], [u32; 3]) = ([128, 256, 16], [4, 4, 1]);
const USUAL: ([u32; 3], [u32; 3]) = ([128, 128, 16], [4, 2, 1]);

#[test]
fn every_order_has_the_wide_tile_and_vectors_along_m_and_n() {
    for a in [["M", "K"], ["K", "M"]] {
        for b in [["N", "K"], ["K", "N"]] {
            for out in [["M", "N"], ["N", "M"]] {
                let plan = plan([a, b, out], |_| ());
                assert_eq!((plan.warps().block, plan.warps().grid), WIDE);
                assert_eq!((plan.mma().shape(), plan.ring().stages), ([32, 64, 1], 4));
                for (side, rows) in [(Side::A, a), (Side::B, b)] {
                    let (tile, copies) = (plan.shared_tile(side), plan.global_to_shared(side));
                    assert_eq!(tile.is_transposed(), rows[1] == "K");
                    assert_eq!(copies.atom.bytes(), if rows[1] == "K" { 4 } else { 16 });
                    assert_eq!(plan.feed(side).bank_passes(), 1);
                    assert_eq!(copies.bank_passes, 1);
                }
            }
        }
    }
}

#[test]
fn f32_is_multiplied_by_lanes_unless_tf32_is_asked_for() {
    let plan = bare(|_| ());
    assert_eq!((plan.warps().block, plan.warps().grid), WIDE);
    assert_eq!(plan.mma().name(), "fma(8, 8)");
    assert_eq!(plan.factors(), Factors::Exact);
    assert_eq!(plan.targets(), Target::DEFAULT);
    let old = bare(|schedule| schedule.targets = Some(vec![Target::Sm75]));
    assert_eq!((old.warps().block, old.mma().name().as_ref()), (USUAL.0, "fma(8, 8)"));
    let tf32 = bare(|schedule| schedule.precision = Some(Precision::Tf32));
    assert_eq!(tf32.mma().name(), "m16n8k8");
    assert_eq!(tf32.factors(), Factors::Tf32TiesAway);
}

#[test]
fn the_register_tile_is_the_largest_that_tiles_a_warp() {
    let atom = |tile: [u16; 3], warps: Option<[u16; 3]>| {
        let plan = bare(|schedule| {
            schedule.tile = Some(tile.map(extent));
            schedule.warps = warps.map(|warps| warps.map(extent));
        });
        plan.mma().name().into_owned()
    };
    assert_eq!(atom([128, 128, 32], Some([2, 2, 1])), "fma(8, 8)");
    assert_eq!(atom([128, 128, 32], Some([4, 4, 1])), "fma(8, 4)");
    assert_eq!(atom([64, 64, 32], None), "fma(8, 8)");
    assert_eq!(atom([64, 64, 32], Some([4, 1, 1])), "fma(4, 8)");
    assert_eq!(atom([16, 32, 64], Some([1, 1, 4])), "fma(4, 4)");
    assert_eq!(atom([8, 16, 16], None), "fma(2, 2)");
    assert_eq!(atom([4, 8, 16], None), "fma(1, 1)");
    let broken = broken(&with(shared::product(Element::F32, TN), |schedule| {
        (schedule.precision, schedule.tile) = (None, Some([2, 8, 16].map(extent)));
    }));
    assert_eq!(broken, [(Rule::AtomsTileWarp, Field::Tile(Axis::M))], "no register tile fits");
}

#[test]
fn columns_are_padded_and_fit_the_smallest_usual_target() {
    let ring = |orders| plan(orders, |_| ()).shared_memory().ring_bytes;
    assert_eq!(ring(TN), 4 * 16 * (132 + 260) * 4);
    assert_eq!(ring(NN), 4 * 16 * (132 + 256) * 4);
    let order = plan(TN, |_| ()).shared_tile(Side::B).layout.order;
    assert_eq!(order, TileOrder::Columns { padding: 4 });
}

#[test]
fn another_schedule_has_the_usual_tile() {
    let warps = |m, n| Some([m, n, 1].map(extent));
    assert_eq!(cut(|_| ()), WIDE);
    assert_eq!(cut(|schedule| schedule.warps = warps(4, 4)), WIDE);
    assert_eq!(cut(|schedule| schedule.warps = warps(4, 2)), USUAL);
    assert_eq!(cut(|schedule| schedule.stages = Some(extent(5))), USUAL, "sm_86 holds no five");
    let deep = |schedule: &mut Schedule| {
        (schedule.stages, schedule.targets) = (Some(extent(5)), Some(vec![Target::Sm90]));
    };
    assert_eq!(cut(deep), WIDE);
    for target in [Target::Sm75, Target::Sm100] {
        assert_eq!(cut(|schedule| schedule.targets = Some(vec![target])), USUAL, "{target}");
    }
    assert_eq!(cut(|schedule| schedule.mma = fma(8, 4)).0, USUAL.0);
    let tile = |schedule: &mut Schedule| schedule.tile = Some([128, 256, 8].map(extent));
    assert_eq!(cut(tile), ([128, 256, 8], WIDE.1), "a tile of this shape has the warps");
}

#[test]
fn wide_copies_keep_rows_along_k() {
    let kept = plan(TN, |schedule| {
        schedule.copy = PerSide::both(cp_async(16, CacheOperator::Cg));
    });
    assert_eq!((kept.warps().block, kept.warps().grid), USUAL);
    assert_eq!(kept.mma().shape(), [32, 64, 2]);
    assert!(Side::BOTH.iter().all(|side| !kept.shared_tile(*side).is_transposed()));
    let one = plan(TN, |schedule| schedule.copy.b = cp_async(8, CacheOperator::Ca));
    assert_eq!(
        Side::BOTH.map(|side| one.shared_tile(side).is_transposed()),
        [true, false],
        "each side has its own"
    );
    assert_eq!(one.mma().shape(), [32, 64, 2]);
}

#[test]
fn other_elements_and_tensor_cores_keep_rows() {
    for (element, mma) in [
        (Element::F16, fma(8, 8)),
        (Element::F64, fma(8, 8)),
        (Element::F32, Some(Mma::M16n8k8)),
        (Element::F32, None),
    ] {
        let by_lanes = mma == fma(8, 8);
        let text = kernel(&with(product(element, TN), |schedule| {
            schedule.mma = mma;
            schedule.precision = shared::precision(element).filter(|_| !by_lanes);
        }))
        .text;
        for of_lanes in ["ColumnTile", "exchanged", "int turn"] {
            assert!(!text.contains(of_lanes), "{element}: {of_lanes}");
        }
        let rows = text.replace("ROW_THREADS = THREADS;", "");
        assert!(!rows.contains("ROW_THREADS = "), "{element}: all threads may share a row");
    }
}

#[test]
fn sums_are_exchanged_where_they_leave_along_vectors_of_b() {
    let exchanged = |out, change: fn(&mut Schedule)| {
        let text = kernel(&with(product(Element::F32, [TN[0], TN[1], out]), change)).text;
        [text.contains("sums[j ^ 1]"), text.contains("exchanged[i ^ 1]")]
    };
    assert_eq!(exchanged(["M", "N"], |_| ()), [true; 2]);
    assert_eq!(exchanged(["N", "M"], |_| ()), [false; 2]);
    let rows = |schedule: &mut Schedule| {
        schedule.copy = PerSide::both(cp_async(16, CacheOperator::Cg));
    };
    assert_eq!(exchanged(["M", "N"], rows), [false; 2]);
    assert_eq!(exchanged(["M", "N"], |schedule| schedule.mma = fma(8, 5)), [false; 2], "one a run");
}

#[test]
fn a_transposed_tile_has_no_swizzle() {
    let broken = |[a, b]: [Option<Swizzle>; 2], copy| {
        broken(&with(product(Element::F32, TN), |schedule| {
            (schedule.swizzle, schedule.copy) = (PerSide { a, b }, PerSide::both(copy));
        }))
    };
    let [none, some] = [0, 2].map(|b| swizzle([b, 2, 4]));
    let at = |side| (Rule::SwizzleOfRows, Field::SwizzleBits(side, 0));
    assert_eq!(broken([none, None], None), []);
    assert_eq!(broken([some, some], None), [at(Side::A), at(Side::B)]);
    assert_eq!(broken([none, some], cp_async(4, CacheOperator::Ca)), [at(Side::B)]);
    let rows = broken([some, some], cp_async(16, CacheOperator::Cg));
    assert!(rows.iter().all(|(rule, _)| *rule != Rule::SwizzleOfRows), "{rows:?}");
}
