//! Floats of at most 32 bits.

use super::element::{bf16_to_f64, f16_to_f64, tf32_to_f64};
use super::fragments::{ROWS, addend, left, right, store_pairs, store_words};
use super::summation;
use crate::exec::registers::{Registers, each};
use crate::fragment::COLUMNS;
use crate::lanes::Lanes;
use crate::number::F16;
use crate::program::{Accumulator, MatrixElement, Multiply, Rounding, Sums};

pub(super) fn multiply(r: &mut Registers, op: &Multiply) {
    match op.k {
        4 => with_extent::<4>(r, op),
        8 => with_extent::<8>(r, op),
        16 => with_extent::<16>(r, op),
        _ => with_extent::<32>(r, op),
    }
}

fn with_extent<const K: usize>(r: &mut Registers, op: &Multiply) {
    let (a, b) = (left_matrix::<K>(r, op), right_matrix::<K>(r, op));
    add_products(r, op.sums(), &a, &b);
}

/// d = a * b + c.
pub(super) fn add_products<const K: usize>(
    r: &mut Registers,
    registers: Sums<'_>,
    a: &[[f64; K]; ROWS],
    b: &[[f64; COLUMNS]; K],
) {
    let mut sums = addends(r, registers);
    summation::add_products(registers.summation, registers.accumulator, &mut sums, a, b);
    match registers.accumulator {
        Accumulator::F16 => store_pairs(r, registers.d, &sums, half_bits),
        _ => store_words(r, registers.d, &sums, single_bits),
    }
}

fn left_matrix<const K: usize>(r: &Registers, op: &Multiply) -> [[f64; K]; ROWS] {
    match op.a_element {
        MatrixElement::F16 => left::<_, K, 2>(op, |at, e| halves(r, at, e, f16_to_f64)),
        MatrixElement::Bf16 => left::<_, K, 2>(op, |at, e| halves(r, at, e, bf16_to_f64)),
        MatrixElement::Byte(ty) => left::<_, K, 4>(op, |at, e| bytes(r, at, e, ty.values())),
        _ => left::<_, K, 1>(op, |at, _| each(r.word(at), tf32_to_f64)),
    }
}

fn right_matrix<const K: usize>(r: &Registers, op: &Multiply) -> [[f64; COLUMNS]; K] {
    match op.b_element {
        MatrixElement::F16 => right::<_, K, 2>(op, |at, e| halves(r, at, e, f16_to_f64)),
        MatrixElement::Bf16 => right::<_, K, 2>(op, |at, e| halves(r, at, e, bf16_to_f64)),
        MatrixElement::Byte(ty) => right::<_, K, 4>(op, |at, e| bytes(r, at, e, ty.values())),
        _ => right::<_, K, 1>(op, |at, _| each(r.word(at), tf32_to_f64)),
    }
}

/// C as a matrix.
fn addends(r: &Registers, registers: Sums<'_>) -> [[f64; COLUMNS]; ROWS] {
    match registers.accumulator {
        Accumulator::F16 => addend::<_, 2>(registers.c, |at, e| halves(r, at, e, f16_to_f64)),
        _ => {
            addend::<_, 1>(registers.c, |at, _| each(r.word(at), |x| f64::from(f32::from_bits(x))))
        }
    }
}

/// One of the two halves of each lane's word.
#[inline(always)]
fn halves(r: &Registers, at: u32, half: usize, convert: impl Fn(u16) -> f64) -> Lanes<f64> {
    each(r.word(at), |word| convert((word >> (16 * half)) as u16))
}

/// One of the four bytes of each lane's word.
#[inline(always)]
fn bytes(r: &Registers, at: u32, byte: usize, values: &[f64; 256]) -> Lanes<f64> {
    each(r.word(at), |word| values[usize::from((word >> (8 * byte)) as u8)])
}

fn half_bits(x: f64) -> u32 {
    F16.round(x, Rounding::Nearest)
}

fn single_bits(x: f64) -> u32 {
    if x.is_nan() { 0x7fff_ffff } else { (x as f32).to_bits() }
}
