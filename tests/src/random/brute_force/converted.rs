//! Factors of integers next to halves: warps convert what they have loaded.

use gemm_codegen::{Element, Side, Spec};

use super::case::multiplied_elements;
use super::{Case, atoms, banks, body, element_of, scaled, tensors};

/// Whether an element is two numbers.
fn is_pair(element: Element) -> bool {
    atoms::numbers(element) > 1
}

/// Whether a factor has pairs.
fn has_pairs(spec: &Spec) -> bool {
    multiplied_elements(spec).is_some_and(|elements| elements.into_iter().any(is_pair))
}

/// Whether there are pairs that no product reads: stored, or among the values of the body.
pub(super) fn has_pairs_elsewhere(spec: &Spec) -> bool {
    let Some(factors) = body::products(spec).map(|products| products.concat()) else {
        return spec.outputs.iter().any(|output| is_pair(output.element));
    };
    let mut others = spec.operands.iter().enumerate().filter(|(at, _)| !factors.contains(at));
    let of_values = others.any(|(_, operand)| element_of(&operand.kind).is_some_and(is_pair));
    of_values || spec.outputs.iter().any(|output| is_pair(output.element))
}

/// Neighbours along k that a lane loads of a line in one vector, where a step is those of four lanes: 8, or 4 if tiles of
/// scales have whole steps of such lanes alone. Four of 4 bits are no word.
pub(super) fn run(spec: &Spec) -> u32 {
    let of_16 = |extent: u32| extent.is_multiple_of(16);
    let tiles = scaled::tiles(spec);
    let is_shorter = tiles.iter().any(|[_, k]| k % 32 != 0) && tiles.iter().all(|[_, k]| of_16(*k));
    if is_shorter && !has_pairs(spec) { 4 } else { 8 }
}

/// What the instructions multiply of these elements: all integers of 8 bits and of 4 are numbers of either type of halves.
pub(super) fn multiplied_as(stored: [Element; 2]) -> [Element; 2] {
    use Element::{Bf16, F16, I4x2, I8, U4x2, U8};
    match stored {
        [float @ (F16 | Bf16), I8 | U8 | I4x2 | U4x2]
        | [I8 | U8 | I4x2 | U4x2, float @ (F16 | Bf16)] => [float; 2],
        _ => stored,
    }
}

/// Whether one of these is converted.
pub(super) fn is_one(stored: [Element; 2]) -> bool {
    multiplied_as(stored) != stored
}

/// Whether a factor of a spec is converted.
pub(super) fn is_one_of(spec: &Spec) -> bool {
    multiplied_elements(spec).is_some_and(is_one)
}

/// The factor of a spec that is converted, if one is.
pub(super) fn side_of(spec: &Spec) -> Option<Side> {
    let stored = multiplied_elements(spec).filter(|stored| is_one(*stored))?;
    Some(if multiplied_as(stored)[0] == stored[0] { Side::B } else { Side::A })
}

/// Whether warpgroups convert this factor.
pub(super) fn by_groups(case: &Case<'_>, side: Side) -> bool {
    case.of_groups && side_of(case.spec) == Some(side)
}

/// Whether a factor is to be converted that no thread copies, or no warp loads, or in other places than the
/// neighbours along k of the other factor. An instruction of warpgroups takes its first factor alone from
/// registers, and reads the other one as k goes.
pub(super) fn cannot_be(case: &Case<'_>) -> bool {
    let (Some(sides), Some(converted)) = (case.multiplied(), side_of(case.spec)) else {
        return false;
    };
    let along_m_or_n = |axis: usize| sides[axis].k_contiguous == Some(false);
    if case.of_groups {
        return converted == Side::B || along_m_or_n(0);
    }
    let by_unit = case.lane.is_none() && tensors::copied(case);
    by_unit || along_m_or_n(0) || along_m_or_n(1)
}

/// The numbers of a chunk of 16 bytes, the least that a warpgroup converts of a line.
pub(super) fn chunk(spec: &Spec) -> u32 {
    if has_pairs(spec) { 32 } else { 16 }
}

/// Whether the chunks of 16 bytes that a warp loads of eight lines, each for the four lanes of its line, take the
/// banks more than one pass.
pub(super) fn chunks_conflict(
    [lines, columns, element]: [u32; 3],
    address: impl Fn(u32, u32) -> u64,
) -> bool {
    let chunk = 16 / element;
    let loads = (0..lines / 8).flat_map(|band| (0..columns / chunk).map(move |at| (band, at)));
    loads.into_iter().any(|(band, at)| {
        let lane = |lane: u32| address(band * 8 + lane / 4, at * chunk);
        banks::passes(&(0..32).map(lane).collect::<Vec<u64>>(), 16) > 1
    })
}

/// Whether the vectors of a warp's lanes take the banks more than one pass: lane l has the run l mod 4 of
/// line l / 4, of this many elements.
pub(super) fn load_conflict(
    ([lines, k, element], run): ([u32; 3], u32),
    address: impl Fn(u32, u32) -> u64,
) -> bool {
    let steps = (0..lines / 8).flat_map(|band| (0..k / (4 * run)).map(move |step| (band, step)));
    steps.into_iter().any(|(band, step)| {
        let lane = |lane: u32| address(band * 8 + lane / 4, (step * 4 + lane % 4) * run);
        banks::passes(&(0..32).map(lane).collect::<Vec<u64>>(), run * element) > 1
    })
}

/// The bytes of the elements that a default row has as many numbers of as others have elements: of the narrower ones.
pub(super) fn bytes_of_rows(elements: [Element; 2]) -> u32 {
    let [a, b] = elements.map(atoms::bytes);
    if is_one(elements) || elements.into_iter().any(is_pair) { a.min(b) } else { a }
}
