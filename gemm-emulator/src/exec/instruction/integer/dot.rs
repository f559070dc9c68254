//! Products of the parts of words.

use crate::exec::registers::{Registers, map3};
use crate::program::DotProduct;

/// Adds the products of the parts of a and of b to c; `signed` says of each whether its parts are.
pub(super) fn dot_product(
    r: &mut Registers,
    mask: u32,
    f: DotProduct,
    signed: [bool; 2],
    at: [u32; 4],
) {
    // Bits of a part of a, and the first byte of b.
    let (bits, first) = match f {
        DotProduct::HalvesLow => (16, 0),
        DotProduct::HalvesHigh => (16, 2),
        DotProduct::Bytes => (8, 0),
    };
    map3(r, mask, at, |a: u32, b: u32, c: u32| {
        (0..32 / bits).fold(c, |sum, at| {
            let a = part(a, at, bits, signed[0]);
            let b = part(b, first + at, 8, signed[1]);
            sum.wrapping_add(a.wrapping_mul(b))
        })
    });
}

/// Part `at` of a word cut into parts of `bits`, sign- or zero-extended.
fn part(word: u32, at: u32, bits: u32, signed: bool) -> u32 {
    let above = 32 - bits;
    let top = word << (above - at * bits);
    if signed { ((top as i32) >> above) as u32 } else { top >> above }
}
