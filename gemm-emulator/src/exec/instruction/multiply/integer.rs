//! Integers of 4 and 8 bits.

use super::fragments::{ROWS, addend, left, right, store_words};
use crate::exec::registers::{Registers, each};
use crate::fragment::COLUMNS;
use crate::lanes::Lanes;
use crate::program::{MatrixElement, Multiply, Sums};

pub(super) fn multiply(r: &mut Registers, op: &Multiply) {
    match op.k {
        16 => with_extent::<16>(r, op),
        32 => with_extent::<32>(r, op),
        _ => with_extent::<64>(r, op),
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
    a: &[[i32; K]; ROWS],
    b: &[[i32; COLUMNS]; K],
) {
    let c = |at, _| each(r.word(at), |word| i64::from(word as i32));
    let mut sums = addend::<_, 1>(registers.c, c);
    for (sums, a) in sums.iter_mut().zip(a) {
        // 32 products of 8 bits or 64 of 4 bits need 23 bits at most.
        let mut row = [0i32; COLUMNS];
        for (a, b) in a.iter().zip(b) {
            for (sum, b) in row.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
        for (sum, row) in sums.iter_mut().zip(row) {
            *sum += i64::from(row);
        }
    }
    if registers.saturate {
        let clamp = |x: i64| x.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        store_words(r, registers.d, &sums, |x| clamp(x) as u32);
    } else {
        store_words(r, registers.d, &sums, |x| x as u32);
    }
}

fn left_matrix<const K: usize>(r: &Registers, op: &Multiply) -> [[i32; K]; ROWS] {
    match op.a_element {
        MatrixElement::S8 | MatrixElement::U8 => {
            left::<_, K, 4>(op, |at, e| integers::<8>(r, at, e, op.a_element))
        }
        _ => left::<_, K, 8>(op, |at, e| integers::<4>(r, at, e, op.a_element)),
    }
}

fn right_matrix<const K: usize>(r: &Registers, op: &Multiply) -> [[i32; COLUMNS]; K] {
    match op.b_element {
        MatrixElement::S8 | MatrixElement::U8 => {
            right::<_, K, 4>(op, |at, e| integers::<8>(r, at, e, op.b_element))
        }
        _ => right::<_, K, 8>(op, |at, e| integers::<4>(r, at, e, op.b_element)),
    }
}

/// One of the fields of `BITS` bits of each lane's word.
#[inline(always)]
fn integers<const BITS: usize>(
    r: &Registers,
    at: u32,
    field: usize,
    element: MatrixElement,
) -> Lanes<i32> {
    let (unused, above) = (32 - BITS, 32 - BITS * (field + 1));
    match element {
        MatrixElement::S8 | MatrixElement::S4 => {
            each(r.word(at), |word| (word << above) as i32 >> unused)
        }
        _ => each(r.word(at), |word| (word << above >> unused) as i32),
    }
}
