//! Sums of floats of at most 32 bits, bit for bit as tensor cores add. (For the rules see
//! [`Summation`](crate::program::Summation))
//!
//! A product of f64 is exact, and the terms of a step are integers below 2^27 times the last bit that is kept, so f64
//! adds them exactly.

use super::element::f16_to_f64;
use super::fragments::ROWS;
use crate::fragment::COLUMNS;
use crate::number::F16;
use crate::program::{Accumulator, LEAST, Rounding, Summation};

/// Above the exponents of all finite products.
const INFINITE: i16 = 1000;

/// The exponent of infinity and NaN: above [`INFINITE`] also after that of zero is added.
const OF_INFINITY: i16 = 8000;

/// That of zero as a factor: below all others.
const OF_ZERO: i16 = -2000;

/// Numbers, and their exponents.
type Terms<const COUNT: usize> = ([f64; COUNT], [i16; COUNT]);

/// c + a * b for each row of a.
pub(super) fn add_products<const K: usize>(
    summation: Summation,
    accumulator: Accumulator,
    c: &mut [[f64; COLUMNS]; ROWS],
    a: &[[f64; K]; ROWS],
    b: &[[f64; COLUMNS]; K],
) {
    let [of_a, of_b, of_c] = summation.least;
    let at = |step: usize| if summation.converted { unpacked(step, K) } else { step };
    let b: [_; K] = std::array::from_fn(|k| b[at(k)]).map(|b| (b, b.map(|b| exponent(b, of_b))));
    for (c, a) in c.iter_mut().zip(a) {
        let a: [_; K] = std::array::from_fn(|k| a[at(k)]).map(|a| (a, exponent(a, of_a)));
        let mut sums = if summation.apart { [0.0; COLUMNS] } else { *c };
        for (a, b) in a.chunks(summation.step).zip(b.chunks(summation.step)) {
            let step = (sums, sums.map(|sum| exponent(sum, of_c)));
            sums = add_step(summation.fraction_bits, step, a, b)
                .map(|sum| rounded(sum, accumulator, summation.result_bits));
        }
        *c = match summation.apart {
            true => std::array::from_fn(|column| f64::from((c[column] + sums[column]) as f32)),
            false => sums,
        };
    }
}

/// Which of the elements along K is the n-th where a conversion unpacks a register: of each four elements first the
/// lower two, then the upper two.
#[inline(always)]
const fn unpacked(n: usize, elements: usize) -> usize {
    let half = elements / 2;
    n % half / 2 * 4 + n / half * 2 + n % 2
}

/// The exponent of a factor or of an addend.
#[inline(always)]
fn exponent(x: f64, least: i16) -> i16 {
    let own = (x.to_bits() >> 52 & 0x7ff) as i16 - 1023;
    let finite = if own == 1024 { OF_INFINITY } else { own.max(least) };
    if x == 0.0 { OF_ZERO } else { finite }
}

/// 2^exponent of a normal f64.
#[inline(always)]
fn power(exponent: i16) -> f64 {
    f64::from_bits(((i64::from(exponent) + 1023) as u64) << 52)
}

/// The sums of a step, not yet rounded.
#[inline(always)]
fn add_step(
    fraction_bits: i16,
    c: Terms<COLUMNS>,
    a: &[(f64, i16)],
    b: &[Terms<COLUMNS>],
) -> [f64; COLUMNS] {
    let mut largest = c.1.map(|of_c| of_c.max(LEAST));
    for ((_, a), (_, b)) in a.iter().zip(b) {
        for (largest, b) in largest.iter_mut().zip(b) {
            *largest = (*largest).max(a + b);
        }
    }
    // The last bit that is kept, and 2^52 of them: adding that number rounds to this bit.
    let last = largest.map(|exponent| power(exponent.min(INFINITE) - fraction_bits));
    let large = last.map(|last| last * power(52));
    let mut sums = [0.0; COLUMNS];
    add_truncated(&mut sums, &c.0, &last, &large);
    for ((a, _), (b, _)) in a.iter().zip(b) {
        add_truncated(&mut sums, &b.map(|b| a * b), &last, &large);
    }
    match largest.iter().any(|exponent| *exponent > INFINITE) {
        true => with_infinities(sums, &largest, c, a, b),
        false => sums,
    }
}

/// Adds numbers without the bits that are not kept.
#[inline(always)]
fn add_truncated(
    sums: &mut [f64; COLUMNS],
    terms: &[f64; COLUMNS],
    last: &[f64; COLUMNS],
    large: &[f64; COLUMNS],
) {
    for column in 0..COLUMNS {
        let size = terms[column].abs();
        // To nearest, then toward zero.
        let near = (size + large[column]) - large[column];
        let above = if near > size { last[column] } else { 0.0 };
        sums[column] += (near - above).copysign(terms[column]);
    }
}

/// The sums with those replaced that have a term which is not finite.
#[cold]
fn with_infinities(
    sums: [f64; COLUMNS],
    largest: &[i16; COLUMNS],
    c: Terms<COLUMNS>,
    a: &[(f64, i16)],
    b: &[Terms<COLUMNS>],
) -> [f64; COLUMNS] {
    std::array::from_fn(|column| match largest[column] > INFINITE {
        true => a.iter().zip(b).fold(c.0[column], |sum, ((a, _), (b, _))| sum + a * b[column]),
        false => sums[column],
    })
}

/// A sum rounded to the type of accumulators. A sum of zero is positive.
#[inline(always)]
fn rounded(sum: f64, accumulator: Accumulator, result_bits: u32) -> f64 {
    if accumulator == Accumulator::F16 {
        return f16_to_f64(F16.round(sum, Rounding::Nearest) as u16) + 0.0;
    }
    let near = sum as f32;
    let beyond = f64::from(near).abs() > sum.abs();
    // 2^128 and more stays infinite.
    let below = beyond && (near.is_finite() || sum.abs() < power(128));
    let bits = near.to_bits() - u32::from(below);
    let unused = 23 - result_bits;
    f64::from(f32::from_bits(bits >> unused << unused)) + 0.0
}

#[cfg(test)]
mod tests;
