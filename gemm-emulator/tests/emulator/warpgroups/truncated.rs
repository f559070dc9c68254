//! Sums of 8-bit floats as the emulator's model of the hardware truncates them, in integers.

use crate::multiply::reference::{integer, sum};

/// Bits of fraction that are kept.
const KEPT: u32 = 13;

/// Whether the sums of this element are truncated.
pub(super) fn are(element: &str) -> bool {
    matches!(element, "e4m3" | "e5m2")
}

/// The bits of the sum of products of [`integer`]s and an element c. No factor is subnormal.
pub(super) fn add(products: impl Iterator<Item = [i128; 2]>, accumulator: &str, c: u64) -> u64 {
    // One is a factor of c.
    let one = integer("e4m3", 0x38);
    let terms = products.chain([[integer(accumulator, c), one]]);
    let terms: Vec<[i128; 2]> = terms.filter(|[a, b]| a * b != 0).collect();
    let exponent = |x: i128| x.unsigned_abs().ilog2();
    let largest = terms.iter().map(|[a, b]| exponent(*a) + exponent(*b)).max().unwrap_or(KEPT);
    let last = 1i128 << (largest - KEPT);
    // Division truncates toward zero.
    let total: i128 = terms.iter().map(|[a, b]| a * b / last * last).sum();
    let kept = match (accumulator, total) {
        ("f32", 1.. | ..=-1) => {
            let last = 1i128 << exponent(total).saturating_sub(KEPT);
            total / last * last
        }
        _ => total,
    };
    sum(kept, accumulator, 0, false)
}
