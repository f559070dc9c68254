//! Factors with a scale for each of their tiles.

use fastrand::Rng;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId};
use gemm_codegen::{Element, Operand, OperandKind};

use super::pick::pick;

/// K of a tile.
const DEPTHS: [u16; 4] = [32, 32, 64, 128];

/// K of a tile whose products no kernel sums.
const OTHERS: [u32; 6] = [0, 1, 8, 24, 48, 96];

/// A tile of a block whose warps, this number of them along K, have whole tiles of scales or parts of one, mostly.
pub(super) fn tile(rng: &mut Rng, [m, n, k]: [u16; 3], [_, _, along_k]: [u16; 3]) -> [u16; 3] {
    match rng.u8(0..8) {
        0 => [m, n, k],
        _ => [m, n, along_k * pick(rng, &[32, 32, 32, 64])],
    }
}

/// The names of the scales of A and of B, where there are any: more `often` where a kernel can scale its sums.
pub(super) fn names<'a>(rng: &mut Rng, often: bool, [a, b]: [&'a str; 2]) -> [Option<&'a str>; 2] {
    let is_scaled = rng.u8(0..if often { 5 } else { 40 }) == 0;
    let which = pick(rng, &[[true, false], [false, true], [false, true], [true, true]]);
    [(a, which[0]), (b, which[1])].map(|(name, has)| (is_scaled && has).then_some(name))
}

/// The operands of these scales, for factors of these kinds and a `k` that is summed over.
pub(super) fn operands(
    rng: &mut Rng,
    scales: [Option<&str>; 2],
    factors: [&OperandKind; 2],
    k: &str,
) -> Vec<Operand> {
    let depth = pick(rng, &DEPTHS).into();
    let mut operands = Vec::new();
    for (scale, factor) in scales.into_iter().zip(factors) {
        let (Some(name), OperandKind::Matrix { indices, .. }) = (scale, factor) else { continue };
        let depth = match rng.u8(0..12) {
            0 => pick(rng, &OTHERS),
            1 => pick(rng, &DEPTHS).into(),
            _ => depth,
        };
        let lines = if rng.u8(0..40) == 0 { 0 } else { pick(rng, &[1, 1, 1, 3, 32, 64, 128]) };
        let along_k = indices[1] == k;
        let (mut indices, mut extents) =
            (indices.clone(), if along_k { [lines, depth] } else { [depth, lines] });
        if rng.u8(0..3) == 0 {
            indices.reverse();
            extents.reverse();
        }
        let element = pick(rng, &[Element::F16, Element::Bf16, Element::F32]);
        let kind = OperandKind::Tiled { element, indices, extents };
        operands.push(Operand { name: name.to_owned(), batch: Vec::new(), kind });
    }
    operands
}

/// A product of the factors of a first one that has scales, without these.
pub(super) fn unscaled(body: &mut Body) -> Option<NodeId> {
    let arguments = body.nodes.iter().find_map(|node| match node {
        Node::Call { function, arguments } if function == "matmul" => Some(arguments.clone()),
        _ => None,
    })?;
    let factors = arguments.iter().map(|argument| match &body.nodes[argument.0] {
        Node::Binary(BinaryOp::Mul, factor, _) => body.nodes[factor.0].clone(),
        other => other.clone(),
    });
    let factors: Vec<Node> = factors.collect();
    let is_scaled = |id: &NodeId| matches!(body.nodes[id.0], Node::Binary(..));
    if !arguments.iter().any(is_scaled) {
        return None;
    }
    let arguments = factors.into_iter().map(|factor| body.push(factor)).collect();
    Some(body.push(Node::Call { function: "matmul".to_owned(), arguments }))
}
