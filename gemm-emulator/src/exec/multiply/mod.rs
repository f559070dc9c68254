//! `mma.sync`.
//!
//! Fragment layouts are those of the PTX ISA. With g = lane / 4 and t = lane % 4, a lane holds of an 8x8 matrix of
//! 16-bit elements row g, columns 2t and 2t + 1.

use super::registers::{ALL, Lanes, Registers};
use crate::number::F16;
use crate::program::{LANES, MatrixElement, Multiply, Rounding};

/// d = a * b + c, 16 x 8 with a contraction of 8 or 16.
///
/// Products are exact. They are added to c in f64 in ascending order of k, and the sum is rounded once: more exact than
/// the hardware, which adds in one step with a few bits beyond f32 and truncates.
pub(super) fn multiply(r: &mut Registers, op: &Multiply) {
    let k_blocks = usize::from(op.k) / 8;
    let mut a = [[0f64; 16]; 16];
    let mut b = [[0f64; 8]; 16];
    for block in 0..k_blocks {
        for half in 0..2 {
            let [low, high] = elements(r.word(op.a[2 * block + half]), op.element);
            for (lane, (low, high)) in low.into_iter().zip(high).enumerate() {
                let (row, column) = (lane / 4 + 8 * half, 2 * (lane % 4) + 8 * block);
                (a[row][column], a[row][column + 1]) = (low, high);
            }
        }
        let [low, high] = elements(r.word(op.b[block]), op.element);
        for (lane, (low, high)) in low.into_iter().zip(high).enumerate() {
            let (row, column) = (2 * (lane % 4) + 8 * block, lane / 4);
            (b[row][column], b[row + 1][column]) = (low, high);
        }
    }
    let mut sums = accumulators(r, op);
    for (sums, a) in sums.iter_mut().zip(&a) {
        let mut row = *sums;
        for (a, b) in a.iter().zip(&b).take(8 * k_blocks) {
            for (sum, b) in row.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
        *sums = row;
    }
    write_results(r, op, &sums);
}

/// The lower and the upper element of each lane's word.
fn elements(words: &Lanes<u32>, element: MatrixElement) -> [Lanes<f64>; 2] {
    match element {
        MatrixElement::F16 => split(words, f16_to_f64),
        MatrixElement::Bf16 => split(words, bf16_to_f64),
    }
}

#[inline(always)]
fn split(words: &Lanes<u32>, convert: impl Fn(u16) -> f64) -> [Lanes<f64>; 2] {
    let mut out = [[0.0; LANES]; 2];
    for lane in 0..LANES {
        out[0][lane] = convert(words[lane] as u16);
        out[1][lane] = convert((words[lane] >> 16) as u16);
    }
    out
}

fn accumulators(r: &Registers, op: &Multiply) -> [[f64; 8]; 16] {
    let mut sums = [[0f64; 8]; 16];
    for half in 0..2 {
        for lane in 0..LANES {
            let (row, column) = (lane / 4 + 8 * half, 2 * (lane % 4));
            if op.single {
                for part in 0..2 {
                    let bits = r.word(op.c[2 * half + part])[lane];
                    sums[row][column + part] = f64::from(f32::from_bits(bits));
                }
            } else {
                let word = r.word(op.c[half])[lane];
                sums[row][column] = f16_to_f64(word as u16);
                sums[row][column + 1] = f16_to_f64((word >> 16) as u16);
            }
        }
    }
    sums
}

fn write_results(r: &mut Registers, op: &Multiply, sums: &[[f64; 8]; 16]) {
    for half in 0..2 {
        let sum = |lane: usize, part: usize| sums[lane / 4 + 8 * half][2 * (lane % 4) + part];
        if op.single {
            for part in 0..2 {
                let values = std::array::from_fn(|lane| single_bits(sum(lane, part)));
                r.set_word(op.d[2 * half + part], ALL, &values);
            }
        } else {
            let bits = |x: f64| F16.round(x, Rounding::Nearest);
            let values = std::array::from_fn(|lane| bits(sum(lane, 0)) | bits(sum(lane, 1)) << 16);
            r.set_word(op.d[half], ALL, &values);
        }
    }
}

fn single_bits(x: f64) -> u32 {
    if x.is_nan() { 0x7fff_ffff } else { (x as f32).to_bits() }
}

/// Exact, without branches, so that it runs on many elements at once.
#[inline(always)]
fn f16_to_f64(bits: u16) -> f64 {
    // As an f32 of the same fields the number is 2^112 times too small; infinity and NaN need the full exponent.
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let finite = (f32::from_bits(magnitude) * SCALE).to_bits();
    let special = magnitude | 0x7f80_0000;
    let value = if magnitude >= 0x7c00 << 13 { special } else { finite };
    f64::from(f32::from_bits(value | u32::from(bits & 0x8000) << 16))
}

#[inline(always)]
fn bf16_to_f64(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_conversions_are_exact() {
        for bits in 0..=u16::MAX {
            let (half, bfloat) = (half::f16::from_bits(bits), half::bf16::from_bits(bits));
            let (x, y) = (f16_to_f64(bits), bf16_to_f64(bits));
            assert!(x == half.to_f64() || x.is_nan() && half.is_nan(), "{bits:#06x}");
            assert!(y == bfloat.to_f64() || y.is_nan() && bfloat.is_nan(), "{bits:#06x}");
        }
    }
}
