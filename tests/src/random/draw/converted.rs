//! Factors of integers next to floats, which warps convert.

use fastrand::Rng;
use gemm_codegen::Element;

use super::orders::Orders;
use super::pick::pick;

/// K of a k-step.
const STEP: u16 = 32;

/// Lines of a packed element, and elements with numbers of the same lines and k.
const PACKED_LINES: u16 = 16;
const PACKED: u16 = 32;

/// Halves and integers of 8 bits or of 4, a third of them packed, in either order, of warpgroups mostly the integers
/// first.
pub(super) fn factors(rng: &mut Rng, groups: bool) -> [Element; 2] {
    let float = pick(rng, &[Element::F16, Element::Bf16]);
    let integer = match rng.u8(0..3) {
        0 => pick(rng, &[Element::I4x32, Element::U4x32, Element::I8x16, Element::U8x16]),
        _ => pick(rng, &[Element::I8, Element::U8, Element::I4x2, Element::U4x2]),
    };
    let last = if groups { rng.u8(0..6) == 0 } else { rng.bool() };
    if last { [float, integer] } else { [integer, float] }
}

/// Whether one of these is converted.
pub(super) fn is_one([a, b]: [Element; 2]) -> bool {
    multiplied([a, b]) != a || a.bytes() != b.bytes()
}

/// What instructions multiply of factors that are stored so.
pub(super) fn multiplied([a, b]: [Element; 2]) -> Element {
    if a.is_integer() && !b.is_integer() { b } else { a }
}

/// The orders in which most of such factors are stored: lanes convert neighbours along K.
pub(super) fn orders(rng: &mut Rng, orders: Orders) -> Orders {
    match rng.u8(0..10) {
        0 => orders,
        _ => Orders { a_k_contiguous: true, b_k_contiguous: true, ..orders },
    }
}

/// The same tile with whole packed elements for these warps, if a factor of these has some, mostly.
pub(super) fn whole(
    rng: &mut Rng,
    stored: [Element; 2],
    [m, n, k]: [u16; 3],
    [along_m, along_n, _]: [u16; 3],
) -> [u16; 3] {
    let Some(side) = stored.into_iter().position(is_packed) else { return [m, n, k] };
    let lines = |extent: u16, warps: u16| extent.next_multiple_of(PACKED_LINES * warps);
    let [whole_m, whole_n] = match side {
        0 => [lines(m, along_m), n],
        _ => [m, lines(n, along_n)],
    };
    let whole_k = k.next_multiple_of(PACKED * stored[side].numbers() as u16);
    match rng.u8(0..12) {
        0 => [m, n, whole_k],
        1 => [whole_m, whole_n, k],
        _ => [whole_m, whole_n, whole_k],
    }
}

/// Whether an element has numbers of several lines.
pub(super) fn is_packed(element: Element) -> bool {
    element.lines() > 1
}

/// The same tile with whole k-steps of these warps, mostly.
pub(super) fn tile(rng: &mut Rng, [m, n, k]: [u16; 3], [_, _, along_k]: [u16; 3]) -> [u16; 3] {
    match rng.u8(0..10) {
        0 => [m, n, k],
        _ => [m, n, k.next_multiple_of(STEP * along_k)],
    }
}
