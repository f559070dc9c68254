//! Changes that break a legal spec, or may break it.

mod columns;
mod outputs;

use fastrand::Rng;
use gemm_codegen::body::{BinaryOp, Node};
use gemm_codegen::{
    Accumulator, CacheOperator, CopyAtom, Element, KOrder, Mma, Operand, OperandKind, Promotion,
    ScalarType, Schedule, Spec, Splits, Swizzle, Target, Walk,
};

use super::pick::pick;
use super::schedule::{extent, policy};
use super::{batched, scaled};

/// Changes one place of the spec.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec, indices: [&str; 3]) {
    match rng.usize(0..12) {
        11 => columns::inflict(rng, spec),
        10 => outputs::inflict(rng, spec),
        0..=5 => of_the_schedule(rng, spec),
        6 => of_the_body(rng, spec),
        _ => of_the_operands(rng, spec, indices),
    }
}

fn of_the_schedule(rng: &mut Rng, spec: &mut Spec) {
    let schedule = &mut spec.schedule;
    match rng.usize(0..16) {
        0 => {
            let others = [1, 8, 16, 24, 40, 48, 72, 80, 96, 112, 128, 160, 192, 256, 384];
            set_extent(rng, schedule, &others);
        }
        // No whole number of atoms, nor of 16-byte copies.
        1 | 14 => set_extent(rng, schedule, &[4, 12, 20, 33, 36, 60, 65, 100]),
        2 => {
            let wide =
                [[384, 128, 32], [256, 256, 32], [512, 64, 16], [64, 512, 16], [128, 256, 16]];
            schedule.tile = Some(pick(rng, &wide).map(extent));
            schedule.warps = None;
        }
        3 => {
            let flat = [[3, 2], [5, 1], [4, 4], [8, 4], [8, 8], [1, 16], [8, 2], [7, 1], [33, 1]];
            let [m, n] = pick(rng, &flat);
            let k = pick(rng, &[1, 1, 1, 2, 3, 5, 33]);
            schedule.warps = Some([m, n, k].map(extent));
        }
        4 => of_the_multiplication(rng, schedule),
        5 | 6 => {
            let atom = copy(rng);
            *pick_side(rng, &mut schedule.copy.a, &mut schedule.copy.b) = Some(atom);
        }
        7 | 8 => {
            let any = Swizzle { b: rng.u8(0..6), m: rng.u8(0..6), s: rng.u8(0..8) };
            let far = Swizzle { b: rng.u8(..), m: rng.u8(..), s: rng.u8(..) };
            let swizzle = if rng.u8(0..5) == 0 { far } else { any };
            *pick_side(rng, &mut schedule.swizzle.a, &mut schedule.swizzle.b) = Some(swizzle);
        }
        9 => schedule.stages = Some(extent(pick(rng, &[1, 1, 2, 6, 8, 12, 65535]))),
        10 => schedule.targets = Some(Vec::new()),
        11 => schedule.targets = Some(vec![Target::Sm75, Target::Sm80]),
        15 => schedule.split_k = Some(Splits::Every(extent(pick(rng, &[257, 1000, 65535])))),
        12 => schedule.targets = Some(vec![Target::Sm90, Target::Sm86, Target::Sm90]),
        _ => schedule.allow.clear(),
    }
}

/// A key that says who multiplies, by what and in which order.
fn of_the_multiplication(rng: &mut Rng, schedule: &mut Schedule) {
    match rng.u8(0..15) {
        14 => {
            let some = [64, 96, 128, 1024].map(|k| Promotion::Every(extent(k)));
            schedule.promote = Some(pick(rng, &some));
        }
        6 | 7 => schedule.warpgroups = Some([2, 1].map(extent)),
        8 | 9 => schedule.walk = Some(pick(rng, &Walk::ALL)),
        10 | 11 => schedule.cluster = Some([2, 1].map(extent)),
        12 => schedule.k_order = Some(KOrder::Serpentine),
        13 => (schedule.k_order, schedule.invariant) = (Some(KOrder::Serpentine), true),
        0 | 1 => schedule.acc = Some(pick(rng, &Accumulator::ALL)),
        2 => {
            let of_warps = Mma::ALL.map(|mma| if mma.warps() == 1 { mma } else { Mma::M8n8k4 });
            schedule.mma = Some(pick(rng, &of_warps));
        }
        _ => {
            let mut extent = || extent(pick(rng, &[1, 8, 14, 15, 16, 16, 40, 65535]));
            schedule.mma = Some(Mma::Fma { m: extent(), n: extent() });
        }
    }
}

/// A copy, often of a size that there is not.
fn copy(rng: &mut Rng) -> CopyAtom {
    let bytes = extent(pick(rng, &[1, 2, 4, 6, 8, 12, 16, 16, 32, 65535]));
    match rng.u8(0..9) {
        0..=2 => CopyAtom::LdGlobal { bytes },
        3 => CopyAtom::Tma { policy: policy(rng) },
        _ => {
            CopyAtom::CpAsync { bytes, cache: pick(rng, &CacheOperator::ALL), policy: policy(rng) }
        }
    }
}

fn set_extent(rng: &mut Rng, schedule: &mut Schedule, extents: &[u16]) {
    if let Some(tile) = &mut schedule.tile {
        tile[rng.usize(0..3)] = extent(pick(rng, extents));
    }
}

fn pick_side<'a, T>(rng: &mut Rng, a: &'a mut T, b: &'a mut T) -> &'a mut T {
    if rng.bool() { a } else { b }
}

fn of_the_body(rng: &mut Rng, spec: &mut Spec) {
    let names: Vec<String> = spec.operands.iter().map(|operand| operand.name.clone()).collect();
    let body = &mut spec.body;
    let root = body.root;
    let call = |function: &str, arguments| Node::Call { function: function.to_owned(), arguments };
    let other = match rng.usize(0..11) {
        0 => body.push(Node::Name("nowhere".to_owned())),
        9 => {
            let nowhere = Node::Name("nowhere".to_owned());
            scaled::unscaled(body).unwrap_or_else(|| body.push(nowhere))
        }
        1 => {
            // Another operand would have a value here, and the twin would not know of it.
            let product = body.nodes.iter().find_map(|node| match node {
                Node::Call { function, arguments } if function == "matmul" => Some(arguments),
                _ => None,
            });
            let factor = product.map_or(root, |factors| pick(rng, factors));
            body.push(scaled::matrix(body, factor))
        }
        7 => body.push(Node::Deref(pick(rng, &[&*names[0], "nowhere"]).to_owned())),
        8 => {
            let output = spec.outputs[0].in_place.clone();
            body.push(Node::Name(output.unwrap_or_else(|| "nowhere".to_owned())))
        }
        // Legal where the body is of integers: the value is that of the twin.
        2 => body.push(Node::Int(0)),
        3 => body.push(Node::Bool(true)),
        4 => {
            let arguments = vec![body.push(Node::Float(1.0)), body.push(Node::Float(2.0))];
            body.push(call(pick(rng, &["gelu", "max", "sinh"]), arguments))
        }
        // Legal where the body is of integers and its output is batched: the value is that of the twin.
        10 => batched::no_number(body),
        5 => {
            let arguments = [(); 2].map(|()| body.push(Node::Name(names[0].clone()))).to_vec();
            body.push(call("matmul", arguments))
        }
        _ => {
            body.root = body.push(Node::Float(0.5));
            return;
        }
    };
    body.root = body.push(Node::Binary(BinaryOp::Add, root, other));
}

fn of_the_operands(rng: &mut Rng, spec: &mut Spec, indices: [&str; 3]) {
    let index = pick(rng, &[indices[0], indices[1], indices[2], "Other"]).to_owned();
    let element = pick(rng, &Element::ALL);
    let at = rng.usize(0..spec.operands.len());
    let name = pick(rng, &[&*spec.operands[at].name, "1st"]).to_owned();
    match rng.usize(0..9) {
        8 => {
            // Of the output too, which is not an operand.
            let batch = (0..rng.usize(0..4)).map(|_| pick(rng, &["B", "H", &index]).to_owned());
            let batch = batch.collect();
            *batch_of(rng, spec, at) = batch;
        }
        0 | 1 => set_element_of(spec, at, element),
        2 => {
            spec.outputs[0].element = element;
            if rng.bool() {
                spec.outputs[0].in_place = spec.outputs[0].in_place.as_ref().map(|_| name);
            }
        }
        3 => spec.outputs[0].indices.names_mut()[rng.usize(0..2)] = index,
        4 => match &mut spec.operands[at].kind {
            OperandKind::Matrix { indices, .. } => indices[rng.usize(0..2)] = index,
            OperandKind::Vector { index: along, .. } => *along = index,
            OperandKind::Tiled { indices, .. } => indices[rng.usize(0..2)] = index,
            OperandKind::DeviceScalar(_) => {}
            OperandKind::Scalar(ty) => *ty = ScalarType::Bool,
        },
        5 => {
            let name = spec.operands[at].name.clone();
            let kind = OperandKind::Vector { element, index: indices[0].to_owned() };
            spec.operands.push(Operand { name, batch: Vec::new(), kind });
        }
        6 => spec.operands[at].name = pick(rng, &["", "two words", "x\ny", "1st"]).to_owned(),
        _ => {
            let indices = [indices[0], pick(rng, &indices[1..])].map(str::to_owned);
            let kind = OperandKind::Matrix { element, indices };
            spec.operands.push(Operand { name: "unused".to_owned(), batch: Vec::new(), kind });
        }
    }
}

/// The batch of an operand, or of an output. All matrices of a batch have the same scales.
fn batch_of<'a>(rng: &mut Rng, spec: &'a mut Spec, operand: usize) -> &'a mut Vec<String> {
    let has_scales = matches!(spec.operands[operand].kind, OperandKind::Tiled { .. });
    match has_scales || rng.u8(0..3) == 0 {
        true => &mut spec.outputs[0].batch,
        false => &mut spec.operands[operand].batch,
    }
}

/// Gives an operand other elements, but none to which a factor of a product of integers is converted: its body is of
/// integers.
fn set_element_of(spec: &mut Spec, operand: usize, element: Element) {
    let of_integers = spec.factor_elements().is_some_and(|of| of.iter().all(|e| e.is_integer()));
    let is_half = matches!(element, Element::F16 | Element::Bf16);
    let element = if of_integers && is_half { Element::F32 } else { element };
    set_element(&mut spec.operands[operand].kind, element);
}

fn set_element(kind: &mut OperandKind, to: Element) {
    if let OperandKind::Matrix { element, .. }
    | OperandKind::Vector { element, .. }
    | OperandKind::DeviceScalar(element) = kind
    {
        *element = to;
    }
}
