//! The laws of `copy = tma`, each on both sides of its limit, and what a plan derives for it.

use std::num::NonZeroU16;

use gemm_codegen::body::Body;
use gemm_codegen::{
    Allow, Axis, CacheOperator, CopyAtom, Diagnostic, Element, Factors, Field, Mma, Operand,
    OperandKind, Output, PerSide, Plan, Rule, Schedule, Side, Spec, Swizzle, Target, TensorBox,
    emit,
};

const F16: Element = Element::F16;

fn extent(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

/// a(M×K) · b(N×K)ᵀ, whose tiles the copy unit copies, everything else derived.
fn derived(element: Element) -> Spec {
    let matrix = |name: &str, indices: [&str; 2]| Operand {
        name: name.to_owned(),
        batch: None,
        kind: OperandKind::Matrix { element, indices: indices.map(str::to_owned) },
    };
    let stored = if matches!(element, Element::I8 | Element::U8) { Element::I32 } else { element };
    Spec {
        name: "product".to_owned(),
        operands: vec![matrix("a", ["M", "K"]), matrix("b", ["N", "K"])],
        outputs: vec![Output {
            in_place: None,
            batch: None,
            element: stored,
            indices: ["M", "N"].map(str::to_owned),
        }],
        body: Body::matmul("a", "b"),
        schedule: Schedule { copy: PerSide::both(Some(CopyAtom::Tma)), ..Schedule::default() },
    }
}

/// The same with two stages of this tile, for these warps along M and N.
fn tiled(element: Element, tile: [u16; 3], [m, n]: [u16; 2]) -> Spec {
    let mut spec = derived(element);
    spec.schedule.tile = Some(tile.map(extent));
    spec.schedule.warps = Some([m, n, 1].map(extent));
    spec.schedule.stages = Some(extent(2));
    spec
}

fn reasons(spec: &Spec) -> Vec<Diagnostic> {
    Plan::new(spec)
        .err()
        .into_iter()
        .flat_map(|all| all.iter().cloned().collect::<Vec<_>>())
        .collect()
}

fn broken(spec: &Spec) -> Vec<(Rule, Field)> {
    reasons(spec).into_iter().map(|reason| (reason.rule, reason.at)).collect()
}

fn indices(spec: &mut Spec, operand: usize, to: [&str; 2]) {
    if let OperandKind::Matrix { indices, .. } = &mut spec.operands[operand].kind {
        *indices = to.map(str::to_owned);
    }
}

#[test]
fn everything_else_is_derived() {
    for element in [F16, Element::Bf16, Element::F32, Element::I8, Element::U8, Element::E4m3] {
        let plan = Plan::new(&derived(element)).unwrap();
        let deep = 128 / element.bytes();
        assert_eq!(plan.warps().block, [128, 128, deep], "{element}");
        assert_eq!(plan.targets(), [Target::Sm90]);
        let chunk = (16 / element.bytes()).ilog2() as u8;
        for side in Side::BOTH {
            let layout = plan.shared_tile(side).layout;
            assert_eq!(layout.swizzle(), Swizzle { b: 3, m: chunk, s: 3 });
            assert_eq!(plan.shared_to_register(side).bank_passes, 1);
        }
        let shared = plan.shared_memory();
        assert_eq!((shared.ring_bytes, shared.barrier_bytes), (4 * 2 * 128 * 128, 4 * 16));
    }
}

#[test]
fn one_side_speaks_for_both() {
    let mut spec = derived(F16);
    spec.schedule.copy.b = None;
    let plan = Plan::new(&spec).unwrap();
    assert_eq!(plan.global_to_shared(Side::B).atom, CopyAtom::Tma);
    let cp_async = CopyAtom::CpAsync { bytes: extent(16), cache: CacheOperator::Cg, policy: None };
    for other in [cp_async, CopyAtom::LdGlobal { bytes: extent(16) }] {
        spec.schedule.copy.b = Some(other);
        let stages = extent(2);
        spec.schedule.stages = Some(stages);
        assert_eq!(broken(&spec), [(Rule::CopiesAlike, Field::Copy(Side::B))]);
        assert_eq!(reasons(&spec)[0].help, "write copy(a = tma, b = tma)");
    }
    spec.schedule.copy = PerSide { a: Some(cp_async), b: Some(CopyAtom::Tma) };
    assert_eq!(broken(&spec), [(Rule::CopiesAlike, Field::Copy(Side::B))]);
    assert_eq!(reasons(&spec)[0].help, "write copy(a = cp_async(16, cg), b = cp_async(16, cg))");
}

#[test]
fn only_targets_that_have_the_unit() {
    let mut spec = derived(F16);
    let mut on = |targets: &[Target]| {
        spec.schedule.targets = Some(targets.to_vec());
        broken(&spec)
    };
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
        assert_eq!(reasons(&of(deep / 2))[0].help, format!("use BLK_K = {deep}"));
    }
    let message = "BLK_K = 32 elements are 64 B, but a row of a tensor copy's box has 128 B";
    assert_eq!(reasons(&tiled(F16, [64, 64, 32], [2, 2]))[0].message, message);
}

#[test]
fn a_box_has_256_rows_at_most() {
    assert_eq!(broken(&tiled(F16, [256, 32, 64], [8, 1])), []);
    assert_eq!(
        broken(&tiled(F16, [288, 32, 64], [9, 1])),
        [(Rule::TensorCopy, Field::Tile(Axis::M))]
    );
    assert_eq!(broken(&tiled(F16, [32, 256, 64], [1, 8])), []);
    let wide = tiled(F16, [32, 272, 64], [1, 17]);
    assert_eq!(broken(&wide), [(Rule::TensorCopy, Field::Tile(Axis::N))]);
    assert_eq!(
        reasons(&wide)[0].message,
        "BLK_N = 272 rows, but a tensor copy's box has at most 256"
    );
}

#[test]
fn a_box_has_one_swizzle() {
    let with = |element, deep, side: Side, [b, m, s]: [u8; 3]| {
        let mut spec = tiled(element, [64, 64, deep], [2, 2]);
        spec.schedule.allow = vec![Allow::BankConflicts];
        let written = Some(Swizzle { b, m, s });
        match side {
            Side::A => spec.schedule.swizzle.a = written,
            Side::B => spec.schedule.swizzle.b = written,
        }
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
fn a_batch_is_no_matrix() {
    let mut spec = tiled(F16, [64, 64, 64], [2, 2]);
    spec.outputs[0].batch = Some("B".to_owned());
    spec.operands[1].batch = Some("B".to_owned());
    let [a, b] = [0, 1].map(|operand| (Rule::TensorCopy, Field::OperandBatch(operand)));
    assert_eq!(broken(&spec), [b]);
    spec.operands[0].batch = Some("B".to_owned());
    assert_eq!(broken(&spec), [a, b]);
}

#[test]
fn a_warp_has_whole_loads_of_rows_and_two() {
    let broken_by = |mma, rows| {
        let mut spec = tiled(F16, [rows, 32, 64], [1, 1]);
        spec.schedule.mma = Some(mma);
        reasons(&spec).into_iter().map(|reason| (reason.rule, reason.at, reason.help)).next()
    };
    let at = |near: u16| {
        let help = format!("use {near} rows per warp");
        Some((Rule::TensorFragments, Field::Warps(Axis::M), help))
    };
    assert_eq!([32, 48, 64, 80].map(|rows| broken_by(Mma::M16n8k16, rows)), [const { None }; 4]);
    assert_eq!(broken_by(Mma::M16n8k16, 16), at(32));
    // Such an atom has half as many registers of a row.
    assert_eq!([64, 96].map(|rows| broken_by(Mma::M16n8k8, rows)), [const { None }; 2]);
    assert_eq!([32, 80].map(|rows| broken_by(Mma::M16n8k8, rows)), [at(64), at(96)]);
}

#[test]
fn a_warp_has_whole_loads_of_columns() {
    let broken_by = |mma, columns| {
        let mut spec = tiled(F16, [64, columns, 64], [1, 1]);
        spec.schedule.mma = Some(mma);
        reasons(&spec).into_iter().map(|reason| (reason.rule, reason.at, reason.help)).next()
    };
    let at = |near: u16| {
        let help = format!("use {near} columns per warp");
        Some((Rule::TensorFragments, Field::Warps(Axis::N), help))
    };
    assert_eq!([16, 32, 48].map(|n| broken_by(Mma::M16n8k16, n)), [const { None }; 3]);
    assert_eq!([8, 24, 40].map(|n| broken_by(Mma::M16n8k16, n)), [at(16), at(32), at(48)]);
    assert_eq!([32, 64].map(|n| broken_by(Mma::M16n8k8, n)), [const { None }; 2]);
    assert_eq!([16, 40].map(|n| broken_by(Mma::M16n8k8, n)), [at(32), at(64)]);
}

#[test]
fn warps_along_k_have_boxes_and_rings_of_their_own() {
    let of = |k, warps_k| {
        let mut spec = tiled(F16, [64, 64, k], [2, 1]);
        spec.schedule.warps = Some([2, 1, warps_k].map(extent));
        spec
    };
    let at = [(Rule::TensorCopy, Field::Tile(Axis::K))];
    assert_eq!([of(64, 1), of(128, 2), of(256, 4)].map(|spec| broken(&spec)), [[]; 3]);
    assert_eq!([of(64, 2), of(128, 1), of(192, 4)].map(|spec| broken(&spec)), [at; 3]);
    let [reason] = &reasons(&of(64, 2))[..] else { panic!("one reason") };
    let message = "BLK_K = 64 elements are 128 B, but a row of a tensor copy's box has 128 B for \
                   each of 2 warps along K";
    assert_eq!((&*reason.message, &*reason.help), (message, "use BLK_K = 128"));

    let plan = Plan::new(&of(256, 4)).unwrap();
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
    let mut spec = derived(F16);
    spec.schedule.warps = Some([2, 2, 2].map(extent));
    assert_eq!(Plan::new(&spec).unwrap().warps().block, [128, 128, 128]);
}

#[test]
fn fragments_are_those_of_ldmatrix() {
    let at = [(Rule::TensorFragments, Field::Mma)];
    let mut spec = tiled(F16, [64, 64, 64], [2, 2]);
    spec.schedule.mma = Some(Mma::Fma { m: extent(8), n: extent(4) });
    assert_eq!(broken(&spec), at);
    let mut spec = tiled(Element::F64, [64, 64, 16], [2, 2]);
    spec.schedule.allow = vec![Allow::BankConflicts];
    assert_eq!(broken(&spec), at);
}

#[test]
fn mistakes_of_both_laws_are_reported_together() {
    let mut spec = tiled(F16, [288, 24, 32], [9, 1]);
    indices(&mut spec, 1, ["K", "N"]);
    spec.schedule.swizzle.a = Some(Swizzle { b: 2, m: 3, s: 3 });
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
        let mut spec = tiled(F16, [128, 128, 64], [2, 2]);
        spec.schedule.stages = Some(extent(stages));
        spec
    };
    let plan = Plan::new(&with(7)).unwrap();
    let shared = plan.shared_memory();
    assert_eq!((shared.ring_bytes, shared.barrier_bytes), (7 * 32_768, 7 * 16));
    assert_eq!(emit(&plan).launch.shared_bytes, 7 * (32_768 + 16));
    let at = (Rule::SharedMemoryFits, Field::Stages);
    assert_eq!(broken(&with(8)), [at]);
    assert_eq!(broken(&with(1)), [(Rule::PipelineDepth, Field::Stages)]);
}

#[test]
fn all_fragments_that_are_held_fit() {
    // A: 16 of 24 registers, B: those of two k-steps.
    let tall = Plan::new(&tiled(F16, [96, 64, 64], [1, 1])).unwrap();
    let registers = tall.registers();
    assert_eq!([registers.accumulators, registers.fragments, registers.limit], [192, 48, 255]);
    let mut wide = tiled(F16, [64, 96, 64], [1, 1]);
    wide.schedule.mma = Some(Mma::M16n8k16);
    assert_eq!(broken(&wide), [(Rule::RegistersFit, Field::Tile(Axis::M))]);
    assert_eq!(
        reasons(&wide)[0].message,
        "a 64 x 96 warp tile needs 192 accumulator, 64 fragment and 12 address registers per \
         thread, but the limit in a block of 32 threads is 255"
    );
}

#[test]
fn warps_are_derived_whose_loads_are_whole() {
    let grid = |element, tile: [u16; 3]| {
        let mut spec = derived(element);
        spec.schedule.tile = Some(tile.map(extent));
        let plan = Plan::new(&spec).unwrap();
        (plan.warps().grid, plan.mma().name())
    };
    assert_eq!(grid(F16, [128, 128, 64]), ([2, 2, 1], "m16n8k16".into()));
    // Four warps would have 24 columns each, or 16 rows.
    assert_eq!(grid(F16, [64, 48, 64]), ([1, 3, 1], "m16n8k16".into()));
    // 96 x 64 fits a warp that loads A as it goes.
    assert_eq!(grid(F16, [192, 256, 64]), ([2, 4, 1], "m16n8k16".into()));
    // A shallow atom would save registers that are not needed, or are.
    let atom = |tile| Plan::new(&tiled(F16, tile, [1, 1])).unwrap().mma().name();
    assert_eq!([atom([64, 80, 64]), atom([64, 96, 64])], ["m16n8k16", "m16n8k8"]);
}

#[test]
fn operands_are_maps_of_their_boxes() {
    let kernel = emit(&Plan::new(&tiled(F16, [96, 64, 64], [1, 2])).unwrap());
    let boxes: Vec<_> = kernel.parameters.iter().map(|parameter| parameter.tensor).collect();
    let of = |rows| Some(TensorBox { rows, columns: 64, rounds_to_tf32: false });
    assert_eq!(boxes, [of(96), of(64), None]);
    let [a, _, out] = kernel.parameters.as_ref() else { panic!("two operands and an output") };
    assert_eq!((a.align_macro.as_deref(), out.align_macro.as_deref()), (None, Some("ALIGN_out")));
    assert!(kernel.text.contains("const __grid_constant__ TensorMap a"));
    assert!(!kernel.text.contains("ALIGN_a"));
}

#[test]
fn f32_is_rounded_where_it_is_copied() {
    for (element, factors) in [
        (Element::F32, Factors::Tf32TiesEven),
        (F16, Factors::Exact),
        (Element::E4m3, Factors::Exact),
    ] {
        let plan = Plan::new(&derived(element)).unwrap();
        let rounds = factors == Factors::Tf32TiesEven;
        assert_eq!(plan.factors(), factors);
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
    let with = |mma| {
        let mut spec = derived(Element::F32);
        spec.schedule.copy = PerSide::both(None);
        spec.schedule.mma = mma;
        let plan = Plan::new(&spec).unwrap();
        (plan.factors(), emit(&plan).text.contains("round_tf32("))
    };
    assert_eq!(with(None), (Factors::Tf32TiesAway, true));
    let fma = Mma::Fma { m: extent(8), n: extent(8) };
    assert_eq!(with(Some(fma)), (Factors::Exact, false));
}

#[test]
fn warps_of_8_bit_floats_have_room_for_halves() {
    // Tensor cores of sm_90 multiply halves of them, which ptxas makes beside the fragments.
    assert_eq!(Plan::new(&derived(Element::E4m3)).unwrap().warps().grid, [4, 2, 1]);
    assert_eq!(Plan::new(&derived(Element::I8)).unwrap().warps().grid, [2, 2, 1]);
}
