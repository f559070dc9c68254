//! Products for the tests, and what the rules say of them.

use std::num::NonZeroU16;

use gemm_codegen::body::{BinaryOp, Body, Node};
use gemm_codegen::{
    CacheOperator, CopyAtom, Diagnostic, Element, Field, Kernel, Mma, Operand, OperandKind, Output,
    OutputIndices, PerSide, Plan, Precision, Rule, Schedule, Side, Spec, Swizzle, Target, emit,
};

pub(super) const F16: Element = Element::F16;

/// Random specs of a test: 1000, or what `PROPTEST_CASES` says, as `cargo xtask test --long` sets it.
pub(super) fn draws() -> u32 {
    let asked = std::env::var("PROPTEST_CASES");
    asked.map_or(1000, |count| count.parse().expect("PROPTEST_CASES is a number"))
}

pub(super) type Indices<'a> = [&'a str; 2];

/// Those of `a`, `b` and the output where rows of both factors run along K.
pub(super) const TN: [Indices<'_>; 3] = [["M", "K"], ["N", "K"], ["M", "N"]];

pub(super) fn extent(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

pub(super) fn matrix(element: Element, indices: Indices<'_>) -> OperandKind {
    OperandKind::Matrix { element, indices: indices.map(str::to_owned) }
}

pub(super) fn operand(name: &str, kind: OperandKind) -> Operand {
    Operand { name: name.to_owned(), batch: Vec::new(), kind }
}

pub(super) fn output(element: Element, indices: Indices<'_>) -> Output {
    Output {
        in_place: None,
        batch: Vec::new(),
        element,
        indices: OutputIndices::Matrix(indices.map(str::to_owned)),
    }
}

/// The precision with which tensor cores multiply these factors.
pub(super) fn precision(element: Element) -> Option<Precision> {
    (element == Element::F32).then_some(Precision::Tf32)
}

/// `fn product(a, b) -> out { matmul(a, b) }` on tensor cores, everything else derived.
pub(super) fn product(element: Element, [a, b, out]: [Indices<'_>; 3]) -> Spec {
    let stored = if matches!(element, Element::I8 | Element::U8) { Element::I32 } else { element };
    Spec {
        name: "product".to_owned(),
        operands: vec![operand("a", matrix(element, a)), operand("b", matrix(element, b))],
        outputs: vec![output(stored, out)],
        body: Body::matmul("a", "b"),
        schedule: Schedule { precision: precision(element), ..Schedule::default() },
    }
}

/// That of f16.
pub(super) fn tn() -> Spec {
    product(F16, TN)
}

/// The same of tiles that the copy unit copies. The rows of `sides` run along M or N, others
/// along K.
pub(super) fn by_tensors(element: Element, sides: &[Side]) -> Spec {
    let order = |side, row| if sides.contains(&side) { ["K", row] } else { [row, "K"] };
    let mut spec = product(element, [order(Side::A, "M"), order(Side::B, "N"), ["M", "N"]]);
    spec.schedule.copy = PerSide::both(Some(CopyAtom::TMA));
    spec
}

/// The same with two stages of this tile, for these warps along M and N.
pub(super) fn tiled(mut spec: Spec, tile: [u16; 3], [m, n]: [u16; 2]) -> Spec {
    spec.schedule.tile = Some(tile.map(extent));
    spec.schedule.warps = Some([m, n, 1].map(extent));
    spec.schedule.stages = Some(extent(2));
    spec
}

pub(super) fn with(mut spec: Spec, change: impl FnOnce(&mut Schedule)) -> Spec {
    change(&mut spec.schedule);
    spec
}

pub(super) fn on(spec: Spec, targets: &[Target]) -> Spec {
    with(spec, |schedule| schedule.targets = Some(targets.to_vec()))
}

/// One more operand, which the body combines with its value.
pub(super) fn combined(mut spec: Spec, op: BinaryOp, operand: Operand) -> Spec {
    let name = spec.body.push(Node::Name(operand.name.clone()));
    spec.body.root = spec.body.push(Node::Binary(op, spec.body.root, name));
    spec.operands.push(operand);
    spec
}

pub(super) fn fma(m: u16, n: u16) -> Option<Mma> {
    Some(Mma::Fma { m: extent(m), n: extent(n) })
}

pub(super) fn cp_async(bytes: u16, cache: CacheOperator) -> Option<CopyAtom> {
    Some(CopyAtom::CpAsync { bytes: extent(bytes), cache, policy: None })
}

pub(super) fn swizzle([b, m, s]: [u8; 3]) -> Option<Swizzle> {
    Some(Swizzle { b, m, s })
}

pub(super) fn reasons(spec: &Spec) -> Vec<Diagnostic> {
    Plan::new(spec).err().iter().flatten().cloned().collect()
}

pub(super) fn broken(spec: &Spec) -> Vec<(Rule, Field)> {
    reasons(spec).into_iter().map(|reason| (reason.rule, reason.at)).collect()
}

pub(super) fn message(spec: &Spec) -> String {
    reasons(spec).remove(0).message
}

pub(super) fn help(spec: &Spec) -> String {
    reasons(spec).remove(0).help
}

pub(super) fn plan(spec: &Spec) -> Plan {
    Plan::new(spec).unwrap_or_else(|broken| panic!("{broken}"))
}

pub(super) fn kernel(spec: &Spec) -> Kernel {
    emit(&plan(spec))
}

#[track_caller]
pub(super) fn contains_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}
