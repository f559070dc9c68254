//! Sums of 8-bit floats by `wgmma`, as tensor cores of sm_90a truncate them.
//!
//! A model. The products of an instruction and its accumulator are aligned to the largest of their exponents, truncated
//! toward zero to [`FRACTION_BITS`] bits of fraction, and added; an f32 sum is truncated to as many bits again.
//! (DeepSeek-V3 technical report, arXiv 2412.19437, section 3.5.2, "Higher FP8 GEMM Accumulation Precision in Tensor
//! Cores"; the exponents and the rounding of sums: MMA-Sim, github.com/microsoft/MMA-Sim, the model of `wgmma`)

use super::float::{addends, half_bits, single_bits};
use super::fragments::{ROWS, store_pairs, store_words};
use crate::exec::registers::Registers;
use crate::fragment::COLUMNS;
use crate::number::ByteFloat;
use crate::program::{Accumulator, Sums};

/// Bits of fraction that are kept, below the largest exponent and of a sum.
const FRACTION_BITS: u32 = 13;

/// 2^exponent of what is kept, over the last bit of it.
const KEPT: f64 = (1 << FRACTION_BITS) as f64;

/// Bits of the fraction of an f64 that are not kept.
const DROPPED: u32 = f64::MANTISSA_DIGITS - 1 - FRACTION_BITS;

/// An 8-bit float.
#[derive(Clone, Copy, Default)]
pub(super) struct Small {
    value: f64,
    /// 2^exponent: of subnormal numbers that of the smallest normal one; zero of zero.
    power: f64,
}

impl Small {
    pub(super) fn new(ty: ByteFloat, value: f64) -> Small {
        let power = if value == 0.0 { 0.0 } else { power(value).max(ty.format().min_normal()) };
        Small { value, power }
    }
}

/// 2^exponent of a number; zero of zero.
fn power(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & f64::INFINITY.to_bits())
}

/// d = a * b + c.
pub(super) fn add_products<const K: usize>(
    r: &mut Registers,
    registers: Sums<'_>,
    a: &[[Small; K]; ROWS],
    b: &[[Small; COLUMNS]; K],
) {
    let mut sums = addends(r, registers);
    for (sums, a) in sums.iter_mut().zip(a) {
        *sums = row(sums, a, b);
    }
    match registers.accumulator {
        Accumulator::F16 => store_pairs(r, registers.d, &sums, half_bits),
        _ => store_words(r, registers.d, &sums, |x| single_bits(truncated(x))),
    }
}

/// A row of a * b + c.
fn row<const K: usize>(
    c: &[f64; COLUMNS],
    a: &[Small; K],
    b: &[[Small; COLUMNS]; K],
) -> [f64; COLUMNS] {
    let mut exact = *c;
    let mut largest = c.map(power);
    for (a, b) in a.iter().zip(b) {
        for ((exact, largest), b) in exact.iter_mut().zip(&mut largest).zip(b) {
            *exact += a.value * b.value;
            *largest = largest.max(a.power * b.power);
        }
    }
    // The last bit that is kept; of nothing but zeros any.
    let last = largest.map(|power| if power == 0.0 { 1.0 } else { power / KEPT });
    let per_unit = last.map(f64::recip);
    // Casts truncate toward zero. A product is below four times the power of its exponent.
    let mut sums: [i32; COLUMNS] =
        std::array::from_fn(|column| (c[column] * per_unit[column]) as i32);
    for (a, b) in a.iter().zip(b) {
        for ((sum, per_unit), b) in sums.iter_mut().zip(&per_unit).zip(b) {
            *sum += (a.value * b.value * per_unit) as i32;
        }
    }
    std::array::from_fn(|column| match exact[column].is_finite() {
        true => f64::from(sums[column]) * last[column],
        false => exact[column],
    })
}

/// A number without the bits of its fraction that are not kept.
fn truncated(x: f64) -> f64 {
    f64::from_bits(x.to_bits() >> DROPPED << DROPPED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sum of products of e4m3 and c.
    fn sum<const K: usize>(c: f64, products: [[f64; 2]; K]) -> f64 {
        let e4m3 = ByteFloat::named("e4m3").expect("a row");
        let small = |value| Small::new(e4m3, value);
        let a = products.map(|[a, _]| small(a));
        let b = products.map(|[_, b]| [small(b); COLUMNS]);
        let [sum, others @ ..] = row(&[c; COLUMNS], &a, &b);
        assert!(others.iter().all(|other| other.to_bits() == sum.to_bits()));
        truncated(sum)
    }

    /// 2^exponent.
    fn two(exponent: i32) -> f64 {
        2f64.powi(exponent)
    }

    #[test]
    fn thirteen_bits_below_the_largest_exponent_are_kept() {
        assert_eq!(sum(0.0, [[1.0, 1.0], [two(-6), two(-7)]]), 1.0 + two(-13));
        assert_eq!(sum(0.0, [[1.0, 1.0], [two(-7), two(-7)]]), 1.0);
        assert_eq!(sum(1.0, [[two(-6), two(-7)]]), 1.0 + two(-13));
        assert_eq!(sum(1.0, [[two(-7), two(-7)]]), 1.0);
        assert_eq!(sum(two(-14), [[1.0, 1.0]]), 1.0);
        // Each is truncated before it is added, toward zero.
        assert_eq!(sum(0.0, [[1.0, 1.0], [two(-7), two(-7)], [two(-7), two(-7)]]), 1.0);
        assert_eq!(sum(0.0, [[1.0, 1.0], [-two(-7), two(-7)]]), 1.0);
        assert_eq!(sum(-1.0, [[two(-7), two(-7)]]), -1.0);
    }

    #[test]
    fn exponents_of_factors_are_added() {
        // The own exponent of 2.25 is 1.
        assert_eq!(sum(0.0, [[1.5, 1.5], [two(-6), two(-7)], [-1.5, 1.5]]), two(-13));
        // A subnormal factor has the exponent of the smallest normal one.
        assert_eq!(sum(0.0, [[two(-9), 64.0], [two(-7), two(-6)]]), two(-3) + two(-13));
        assert_eq!(sum(0.0, [[two(-9), 64.0], [two(-7), two(-7)]]), two(-3));
        // Zero has none.
        assert_eq!(sum(0.0, [[0.0, 448.0], [two(-9), two(-9)]]), two(-18));
        assert_eq!(sum(0.0, [[0.0, 448.0]]), 0.0);
    }

    #[test]
    fn a_sum_keeps_thirteen_bits_of_its_own() {
        let ones = [[1.0, 1.0]; 4];
        let [a, b, c, d] = ones;
        assert_eq!(sum(0.0, [a, b, c, d, [two(-6), two(-7)]]), 4.0);
        assert_eq!(sum(0.0, [a, b, c, d, [two(-6), two(-5)]]), 4.0 + two(-11));
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        assert!(sum(0.0, [[f64::NAN, 1.0]]).is_nan());
        assert!(sum(f64::INFINITY, [[f64::INFINITY, -1.0]]).is_nan());
        assert!(sum(0.0, [[f64::INFINITY, 0.0]]).is_nan());
        assert_eq!(sum(f64::NEG_INFINITY, [[448.0, 448.0]]), f64::NEG_INFINITY);
    }
}
