//! Factors of integers next to floats, which warps convert.

use fastrand::Rng;
use gemm_codegen::Element;

use super::orders::Orders;
use super::pick::pick;

/// K of a k-step.
const STEP: u16 = 32;

/// Halves and integers of 8 bits or of 4, in either order, of warpgroups mostly the integers first.
pub(super) fn factors(rng: &mut Rng, groups: bool) -> [Element; 2] {
    let float = pick(rng, &[Element::F16, Element::Bf16]);
    let integer = pick(rng, &[Element::I8, Element::U8, Element::I4x2, Element::U4x2]);
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

/// The same tile with whole k-steps of these warps, mostly.
pub(super) fn tile(rng: &mut Rng, [m, n, k]: [u16; 3], [_, _, along_k]: [u16; 3]) -> [u16; 3] {
    match rng.u8(0..10) {
        0 => [m, n, k],
        _ => [m, n, k.next_multiple_of(STEP * along_k)],
    }
}
