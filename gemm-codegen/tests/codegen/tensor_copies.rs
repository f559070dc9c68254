//! The laws of `copy = tma`, each on both sides of its limit, and what a plan derives for it.

use gemm_codegen::{
    Allow, Axis, CacheOperator, CopyAtom, Element, Factors, Field, PerSide, Precision, Rule, Side,
    Spec, Swizzle, Target, TensorBox, emit,
};

use super::shared::{
    self, F16, broken, by_tensors, cp_async, extent, help, kernel, message, on, plan, reasons,
    swizzle, with,
};

/// A product whose rows run along K, whose tiles the copy unit copies, everything else derived.
pub(super) fn derived(element: Element) -> Spec {
    by_tensors(element, &[])
}

pub(super) fn tiled(element: Element, tile: [u16; 3], warps: [u16; 2]) -> Spec {
    shared::tiled(derived(element), tile, warps)
}

#[test]
fn everything_else_is_derived() {
    for element in [F16, Element::Bf16, Element::F32, Element::I8, Element::U8, Element::E4m3] {
        let plan = plan(&derived(element));
        let deep = 128 / element.bytes();
        assert_eq!(plan.warps().block, [128, 128, deep], "{element}");
        assert_eq!(plan.targets(), [Target::Sm90]);
        let chunk = (16 / element.bytes()).ilog2() as u8;
        for side in Side::BOTH {
            let layout = plan.shared_tile(side).layout;
            assert_eq!(layout.swizzle(), Swizzle { b: 3, m: chunk, s: 3 });
            assert_eq!(plan.feed(side).bank_passes(), 1);
        }
        let shared = plan.shared_memory();
        assert_eq!((shared.ring_bytes, shared.barrier_bytes), (4 * 2 * 128 * 128, 4 * 16));
    }
}

#[test]
fn one_side_speaks_for_both() {
    let spec = with(derived(F16), |schedule| schedule.copy.b = None);
    assert_eq!(plan(&spec).global_to_shared(Side::B).atom, CopyAtom::TMA);
    let tma = Some(CopyAtom::TMA);
    let wide = cp_async(16, CacheOperator::Cg);
    let ld_global = Some(CopyAtom::LdGlobal { bytes: extent(16) });
    for (a, b, expected) in [
        (tma, wide, "write copy(a = tma, b = tma)"),
        (tma, ld_global, "write copy(a = tma, b = tma)"),
        (wide, tma, "write copy(a = cp_async(16, cg), b = cp_async(16, cg))"),
    ] {
        let spec = with(derived(F16), |schedule| {
            (schedule.copy, schedule.stages) = (PerSide { a, b }, Some(extent(2)));
        });
        assert_eq!(broken(&spec), [(Rule::CopiesAlike, Field::Copy(Side::B))]);
        assert_eq!(help(&spec), expected);
    }
}

#[test]
fn only_targets_that_have_the_unit() {
    let on = |targets| broken(&on(derived(F16), targets));
    assert_eq!(on(&[Target::Sm90, Target::Sm100]), []);
    let at = |number| (Rule::CopyOnTarget, Field::Target(number));
    assert_eq!(on(&[Target::Sm90, Target::Sm89]), [at(1)]);
    assert_eq!(on(&[Target::Sm80]), [at(0)]);
}

#[test]
fn rows_of_a_box_have_128_bytes() {
    let at = [(Rule::TensorCopy, Field::Tile(Axis::K))];
    for element in [F16, Element::Bf16, Element::F32, Element::I8, Element::E4m3] {
        let deep = 128 / element.bytes() as u16;
        let of = |k| tiled(element, [64, 64, k], [2, 2]);
        assert_eq!(broken(&of(deep)), [], "{element}");
        assert_eq!(broken(&of(deep / 2)), at, "{element}");
        assert_eq!(broken(&of(deep * 2)), at, "{element}");
        assert_eq!(help(&of(deep / 2)), format!("use BLK_K = {deep}"));
    }
    assert_eq!(
        message(&tiled(F16, [64, 64, 32], [2, 2])),
        "BLK_K = 32 elements are 64 B, but a row of a tensor copy's box has 128 B"
    );
}

#[test]
fn a_box_has_256_rows_at_most() {
    assert_eq!(broken(&tiled(F16, [256, 32, 64], [8, 1])), []);
    assert_eq!(broken(&tiled(F16, [32, 256, 64], [1, 8])), []);
    let tall = tiled(F16, [288, 32, 64], [9, 1]);
    assert_eq!(broken(&tall), [(Rule::TensorCopy, Field::Tile(Axis::M))]);
    let wide = tiled(F16, [32, 272, 64], [1, 17]);
    assert_eq!(broken(&wide), [(Rule::TensorCopy, Field::Tile(Axis::N))]);
    assert_eq!(message(&wide), "BLK_N = 272, but a tensor copy has at most 256 rows");
}

#[test]
fn a_box_has_one_swizzle() {
    let with = |element, deep, side, bits| {
        let mut spec = tiled(element, [64, 64, deep], [2, 2]);
        spec.schedule.allow = vec![Allow::BankConflicts];
        *spec.schedule.swizzle.get_mut(side) = swizzle(bits);
        broken(&spec)
    };
    for side in Side::BOTH {
        let at = [(Rule::TensorCopy, Field::Swizzle(side))];
        assert_eq!(with(F16, 64, side, [3, 3, 3]), []);
        assert_eq!(with(Element::F32, 32, side, [3, 2, 3]), []);
        assert_eq!(with(Element::I8, 128, side, [3, 4, 3]), []);
        for other in [[2, 3, 3], [3, 3, 4], [3, 4, 3], [0, 3, 3]] {
            assert_eq!(with(F16, 64, side, other), at, "{other:?}");
        }
    }
}

#[test]
fn warps_along_k_have_boxes_and_rings_of_their_own() {
    let of = |k, warps_k| {
        let spec = tiled(F16, [64, 64, k], [2, 1]);
        with(spec, |schedule| schedule.warps = Some([2, 1, warps_k].map(extent)))
    };
    let at = [(Rule::TensorCopy, Field::Tile(Axis::K))];
    assert_eq!([of(64, 1), of(128, 2), of(256, 4)].map(|spec| broken(&spec)), [[]; 3]);
    assert_eq!([of(64, 2), of(128, 1), of(192, 4)].map(|spec| broken(&spec)), [at; 3]);
    let [reason] = &reasons(&of(64, 2))[..] else { panic!("one reason") };
    let message = "BLK_K = 64 elements are 128 B, but a row of a tensor copy's box has 128 B for \
                   each of 2 warps along K";
    assert_eq!((&*reason.message, &*reason.help), (message, "use BLK_K = 128"));

    let plan = plan(&of(256, 4));
    let shared = plan.shared_memory();
    assert_eq!((shared.ring_bytes, shared.barrier_bytes), (2 * 2 * 64 * 512, 2 * 4 * 16));
    for side in Side::BOTH {
        let layout = plan.shared_tile(side).layout;
        assert_eq!([layout.rows, layout.cols], [64, 64]);
    }
    let kernel = emit(&plan);
    let boxes: Vec<_> = kernel.parameters.iter().filter_map(|of| of.tensor).collect();
    assert_eq!(boxes, [TensorBox { rows: 64, columns: 64, rounds_to_tf32: false }; 2]);
}

#[test]
fn a_tile_that_is_not_named_has_a_box_for_each_warp_along_k() {
    let spec = with(derived(F16), |schedule| schedule.warps = Some([2, 2, 2].map(extent)));
    assert_eq!(plan(&spec).warps().block, [128, 128, 128]);
}

#[test]
fn mistakes_of_both_laws_are_reported_together() {
    let mut spec = shared::tiled(by_tensors(F16, &[Side::B]), [288, 24, 32], [9, 1]);
    spec.schedule.swizzle.a = swizzle([2, 3, 3]);
    assert_eq!(
        broken(&spec),
        [
            (Rule::TensorCopy, Field::Tile(Axis::M)),
            (Rule::TensorCopy, Field::Swizzle(Side::A)),
            (Rule::TensorCopy, Field::Tile(Axis::N)),
            (Rule::TensorCopy, Field::Tile(Axis::K)),
            (Rule::TensorFragments, Field::Warps(Axis::N)),
        ]
    );
}

#[test]
fn a_ring_has_barriers_behind_it() {
    let with = |stages| {
        let spec = tiled(F16, [128, 128, 64], [2, 2]);
        with(spec, |schedule| schedule.stages = Some(extent(stages)))
    };
    let plan = plan(&with(7));
    let shared = plan.shared_memory();
    assert_eq!((shared.ring_bytes, shared.barrier_bytes), (7 * 32_768, 7 * 16));
    assert_eq!(emit(&plan).launch.shared_bytes, 7 * (32_768 + 16));
    assert_eq!(broken(&with(8)), [(Rule::SharedMemoryFits, Field::Stages)]);
    assert_eq!(broken(&with(1)), [(Rule::PipelineDepth, Field::Stages)]);
}

#[test]
fn operands_are_maps_of_their_boxes() {
    let kernel = kernel(&tiled(F16, [96, 64, 64], [1, 2]));
    let boxes: Vec<_> = kernel.parameters.iter().map(|parameter| parameter.tensor).collect();
    let of = |rows| Some(TensorBox { rows, columns: 64, rounds_to_tf32: false });
    assert_eq!(boxes, [of(96), of(64), None]);
    let [a, _, out] = kernel.parameters.as_ref() else { panic!("two operands and an output") };
    assert_eq!(
        (a.align_constant.as_deref(), out.align_constant.as_deref()),
        (None, Some("ALIGN_out"))
    );
    assert!(kernel.text.contains("const __grid_constant__ TensorMap a"));
    assert!(!kernel.text.contains("ALIGN_a"));
}

#[test]
fn f32_is_rounded_where_it_is_copied() {
    for element in [Element::F32, F16, Element::E4m3] {
        let rounds = element == Element::F32;
        let plan = plan(&derived(element));
        assert_eq!(plan.factors(), if rounds { Factors::Tf32TiesEven } else { Factors::Exact });
        let kernel = emit(&plan);
        for parameter in &kernel.parameters[..2] {
            assert_eq!(parameter.tensor.map(|part| part.rounds_to_tf32), Some(rounds));
        }
        assert_eq!(kernel.text.contains("CU_TENSOR_MAP_DATA_TYPE_TFLOAT32"), rounds);
        assert!(!kernel.text.contains("round_tf32("));
    }
}

#[test]
fn other_copies_leave_the_rounding_to_registers() {
    let with = |precision| {
        let mut spec = derived(Element::F32);
        spec.schedule.copy = PerSide::both(None);
        spec.schedule.precision = precision;
        let (plan, kernel) = (plan(&spec), kernel(&spec));
        assert_eq!(kernel.factors, plan.factors());
        let says =
            kernel.text.contains("precision = tf32,") && plan.table().contains("| precision");
        (kernel.factors, [says, kernel.text.contains("round_tf32(")])
    };
    assert_eq!(with(Some(Precision::Tf32)), (Factors::Tf32TiesAway, [true; 2]));
    assert_eq!(with(Some(Precision::F32)), (Factors::Exact, [false; 2]));
    assert_eq!(with(None), (Factors::Exact, [false; 2]));
}

#[test]
fn warps_of_8_bit_floats_have_room_for_halves() {
    // Tensor cores of sm_90 multiply halves of them, which ptxas makes beside the fragments.
    assert_eq!(plan(&derived(Element::E4m3)).warps().grid, [4, 2, 1]);
    assert_eq!(plan(&derived(Element::I8)).warps().grid, [2, 2, 1]);
}
