//! Factors of integers next to halves: warps convert what they have loaded.

use gemm_codegen::{Element, ScalarType, Side, Spec};

use super::case::multiplied_elements;
use super::{Case, atoms, banks, body, element_of, scaled, tensors, tiling};

/// The most k that a warpgroup converts at a time: ptxas spills the registers of more.
pub(super) const AT_A_TIME: u32 = 128;

/// Whether an element is several numbers.
fn is_several(element: Element) -> bool {
    atoms::numbers(element) * atoms::lines(element) > 1
}

/// Whether a factor has numbers of 4 bits.
fn has_nibbles(spec: &Spec) -> bool {
    let is_of_4_bits = |element| atoms::numbers(element) > 1;
    multiplied_elements(spec).is_some_and(|elements| elements.into_iter().any(is_of_4_bits))
}

/// Whether there are elements of several numbers that no product reads: stored, or among the values of the body.
pub(super) fn has_several_elsewhere(spec: &Spec) -> bool {
    let Some(factors) = body::factors(spec) else {
        return spec.outputs.iter().any(|output| is_several(output.element));
    };
    let mut others = spec.operands.iter().enumerate().filter(|(at, _)| !factors.contains(at));
    let of_values = others.any(|(_, operand)| element_of(&operand.kind).is_some_and(is_several));
    of_values || spec.outputs.iter().any(|output| is_several(output.element))
}

/// Neighbours along k that a lane loads of a line in one vector, where a step is those of four lanes: 8, or 4 if tiles of
/// scales have whole steps of such lanes alone. Four of 4 bits are no word, unless those of two lines follow each other:
/// packed ones have 16 in an element.
pub(super) fn run(spec: &Spec) -> u32 {
    let packs = packed(spec).is_some();
    let runs: &[u32] = match (has_nibbles(spec), packs) {
        (true, true) => &[16, 8, 4],
        (true, false) => &[8],
        (false, _) => &[8, 4],
    };
    let tiles = scaled::tiles(spec);
    let has_whole = |run: &u32| tiles.iter().all(|[_, k]| tiling::walk(*k, 4 * run).is_some());
    runs.iter().copied().find(has_whole).unwrap_or(runs[0])
}

/// The packed factor of a spec and its elements, if it has one.
pub(super) fn packed(spec: &Spec) -> Option<(Side, Element)> {
    let stored = multiplied_elements(spec)?;
    let side = side_of(spec)?;
    let element = stored[usize::from(side == Side::B)];
    atoms::is_packed(element).then_some((side, element))
}

/// What the instructions multiply of these elements: all integers of 8 bits and of 4 are numbers of either type of halves.
pub(super) fn multiplied_as(stored: [Element; 2]) -> [Element; 2] {
    use Element::{Bf16, F16, I32};
    let is_integer = |element| atoms::value(element) == ScalarType::I32 && element != I32;
    match stored {
        [float @ (F16 | Bf16), other] | [other, float @ (F16 | Bf16)] if is_integer(other) => {
            [float; 2]
        }
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
    if has_nibbles(spec) { 32 } else { 16 }
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
    let [a, b] = elements.map(|element| match atoms::is_packed(element) {
        // Those of its numbers where they are not packed.
        true => 1,
        false => atoms::bytes(element),
    });
    if is_one(elements) || elements.into_iter().any(is_several) { a.min(b) } else { a }
}
