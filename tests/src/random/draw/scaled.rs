//! Factors with a scale for each of their tiles.

use fastrand::Rng;
use gemm_codegen::body::{Body, Node, NodeId};
use gemm_codegen::{Element, Operand, OperandKind};

use super::pick::pick;

/// K of a tile.
const DEPTHS: [u16; 5] = [16, 32, 32, 64, 128];

/// K of a tile whose products no kernel sums.
const OTHERS: [u32; 6] = [0, 1, 8, 24, 48, 96];

/// A tile of a block whose warps, this number of them along K, have whole tiles of scales or parts of one, mostly.
pub(super) fn tile(rng: &mut Rng, [m, n, k]: [u16; 3], [_, _, along_k]: [u16; 3]) -> [u16; 3] {
    match rng.u8(0..8) {
        0 => [m, n, k],
        _ => [m, n, along_k * pick(rng, &[16, 32, 32, 32, 64])],
    }
}

/// The scales of a factor, by name, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales<'a> {
    pub(super) name: &'a str,
    pub(super) offset: Option<(Offset, &'a str)>,
}

/// How an offset is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offset {
    /// `(w - z) * s`
    Zero,
    /// `w * s + c`
    Added,
    /// `(w + z) * s`, which no factor is.
    AddedBefore,
}

/// The scales of A and of B, where there are any: more `often` where a kernel can scale its sums. The names are those of
/// the scales, then of the offsets.
pub(super) fn names<'a>(
    rng: &mut Rng,
    often: bool,
    [a, b, offset_a, offset_b]: [&'a str; 4],
) -> [Option<Scales<'a>>; 2] {
    let is_scaled = rng.u8(0..if often { 5 } else { 40 }) == 0;
    let which = pick(rng, &[[true, false], [false, true], [false, true], [true, true]]);
    let mut offsets = [offset_a, offset_b].map(|name| {
        let offset = pick(rng, &[Offset::Zero, Offset::Added]);
        let offset = if rng.u8(0..24) == 0 { Offset::AddedBefore } else { offset };
        rng.bool().then_some((offset, name))
    });
    if which == [true, true] && rng.u8(0..8) > 0 {
        offsets[rng.usize(0..2)] = None;
    }
    let [of_a, of_b] = offsets;
    [(a, of_a, which[0]), (b, of_b, which[1])]
        .map(|(name, offset, has)| (is_scaled && has).then_some(Scales { name, offset }))
}

/// The scales of further second factors like those of the first one, with two of these names for each; now and then
/// of another kind.
pub(super) fn of_others<'a>(
    rng: &mut Rng,
    first: Option<Scales<'a>>,
    names: &[&'a str],
) -> Vec<Option<Scales<'a>>> {
    let of = |pair: &[&'a str]| {
        let [name, offset] = [pair[0], pair[1]];
        let other = |(applied, _)| (applied, offset);
        let scales = first.map(|of| Scales { name, offset: of.offset.map(other) });
        match (scales, rng.u8(0..24)) {
            (Some(_), 0) => None,
            (Some(of), 1) => Some(Scales { offset: None, ..of }),
            (Some(of), 2) => Some(Scales { offset: Some((Offset::Zero, offset)), ..of }),
            // The same scales for both factors.
            (Some(of), 3) => first.map(|first| Scales { name: first.name, ..of }),
            _ => scales,
        }
    };
    names.chunks(2).map(of).collect()
}

/// The operands of the scales of further second factors, like those that `scales` has of the first one; now and then
/// of another element or with tiles of another shape.
pub(super) fn operands_of_others(
    rng: &mut Rng,
    others: &[Option<Scales<'_>>],
    first: Option<Scales<'_>>,
    scales: &[Operand],
) -> Vec<Operand> {
    let Some(first) = first else { return Vec::new() };
    let named = |name: &str| scales.iter().find(|operand| operand.name == name);
    let mut operands: Vec<Operand> = Vec::new();
    for other in others.iter().flatten().filter(|other| other.name != first.name) {
        let of_first = first.offset.map_or(first.name, |(_, offset)| offset);
        let offset = other.offset.map(|(_, offset)| (offset, of_first));
        for (name, like) in [(other.name, first.name)].into_iter().chain(offset) {
            let Some(like) = named(like) else { continue };
            let mut operand = Operand { name: name.to_owned(), ..like.clone() };
            if let (OperandKind::Tiled { element, extents, .. }, flaw) =
                (&mut operand.kind, rng.u8(0..32))
            {
                *element = if flaw == 0 { Element::F32 } else { *element };
                extents[1] = if flaw == 1 { 32 } else { extents[1] };
            }
            operands.push(operand);
        }
    }
    operands
}

/// The operands of these scales, for factors of these kinds and a `k` that is summed over.
pub(super) fn operands(
    rng: &mut Rng,
    scales: [Option<Scales<'_>>; 2],
    factors: [&OperandKind; 2],
    k: &str,
) -> Vec<Operand> {
    let depth = pick(rng, &DEPTHS).into();
    let mut operands = Vec::new();
    for (scales, factor) in scales.into_iter().zip(factors) {
        let (Some(Scales { name, offset }), OperandKind::Matrix { indices, .. }) = (scales, factor)
        else {
            continue;
        };
        let depth = match rng.u8(0..12) {
            0 => pick(rng, &OTHERS),
            1 => pick(rng, &DEPTHS).into(),
            _ => depth,
        };
        let lines = if rng.u8(0..40) == 0 { 0 } else { pick(rng, &[1, 1, 1, 3, 32, 64, 128]) };
        let along_k = indices[1] == k;
        let extents = if along_k { [lines, depth] } else { [depth, lines] };
        operands.push(tiled(rng, name, (indices, extents)));
        if let Some((_, name)) = offset {
            let others = if rng.u8(0..24) == 0 { [1, 32] } else { extents };
            operands.push(tiled(rng, name, (indices, others)));
        }
    }
    operands
}

/// An operand of this name with an element for each of these tiles, in either order.
fn tiled(rng: &mut Rng, name: &str, (indices, extents): (&[String; 2], [u32; 2])) -> Operand {
    let (mut indices, mut extents) = (indices.clone(), extents);
    if rng.u8(0..3) == 0 {
        indices.reverse();
        extents.reverse();
    }
    let element = pick(rng, &[Element::F16, Element::Bf16, Element::F32]);
    let kind = OperandKind::Tiled { element, indices, extents };
    Operand { name: name.to_owned(), batch: Vec::new(), kind }
}

/// What an argument of a product multiplies, without its scales: its nodes have no second parent.
pub(super) fn matrix(body: &Body, argument: NodeId) -> Node {
    let mut node = &body.nodes[argument.0];
    while let Node::Binary(_, factor, _) = node {
        node = &body.nodes[factor.0];
    }
    node.clone()
}

/// A product of the factors of a first one that has scales, without these.
pub(super) fn unscaled(body: &mut Body) -> Option<NodeId> {
    let arguments = body.nodes.iter().find_map(|node| match node {
        Node::Call { function, arguments } if function == "matmul" => Some(arguments.clone()),
        _ => None,
    })?;
    let factors: Vec<Node> = arguments.iter().map(|argument| matrix(body, *argument)).collect();
    let is_scaled = |id: &NodeId| matches!(body.nodes[id.0], Node::Binary(..));
    if !arguments.iter().any(is_scaled) {
        return None;
    }
    let arguments = factors.into_iter().map(|factor| body.push(factor)).collect();
    Some(body.push(Node::Call { function: "matmul".to_owned(), arguments }))
}
