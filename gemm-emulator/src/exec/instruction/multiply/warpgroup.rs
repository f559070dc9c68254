//! `wgmma`: the two matrices are read from shared memory once for all warps.
//!
//! A warp has 16 rows of D; each 8 columns of them lie in its registers as those of `mma.sync` do. (PTX ISA, "Register
//! Fragments for wgmma.mma_async.m64nNkK")

use super::element::{bf16_to_f64, f16_to_f64, tf32_to_f64};
use super::fragments::ROWS;
use super::{float, integer};
use crate::exec::registers::Registers;
use crate::fragment::COLUMNS;
use crate::program::{Factor, MatrixElement, Sums, WarpgroupMultiply};

/// The elements of a factor along K, for each row of A or column of B.
type Row = [u8; WarpgroupMultiply::K_BYTES];

/// d = a * b + d, or a * b, of the warps with these registers.
pub(in crate::exec) fn multiply_by_warpgroup<'r>(
    warps: impl Iterator<Item = &'r mut Registers>,
    op: &WarpgroupMultiply,
    [a, b]: [&[Row]; 2],
    adds: bool,
) {
    match (op.a.element, op.b.element) {
        (MatrixElement::S8 | MatrixElement::U8, _) => {
            let a = matrix::<_, 1, 32>(a, |x| integer(op.a, x));
            let b = matrix::<_, 1, 32>(b, |x| integer(op.b, x));
            each_part(warps, op, adds, &a, &b, integer::add_products);
        }
        (MatrixElement::Tf32, _) => floats::<4, 8>(warps, op, [a, b], adds),
        (MatrixElement::Byte(_), _) => floats::<1, 32>(warps, op, [a, b], adds),
        _ => floats::<2, 16>(warps, op, [a, b], adds),
    }
}

fn floats<'r, const BYTES: usize, const K: usize>(
    warps: impl Iterator<Item = &'r mut Registers>,
    op: &WarpgroupMultiply,
    [a, b]: [&[Row]; 2],
    adds: bool,
) {
    let a = matrix::<_, BYTES, K>(a, |x| float(op.a, x));
    let b = matrix::<_, BYTES, K>(b, |x| float(op.b, x));
    each_part(warps, op, adds, &a, &b, float::add_products);
}

/// Multiplies 16 rows of A by 8 columns of B at a time.
fn each_part<'r, T: Copy + Default, const K: usize>(
    warps: impl Iterator<Item = &'r mut Registers>,
    op: &WarpgroupMultiply,
    adds: bool,
    a: &[[T; K]],
    b: &[[T; K]],
    add_products: impl Fn(&mut Registers, Sums<'_>, &[[T; K]; ROWS], &[[T; COLUMNS]; K]),
) {
    let b: Vec<[[T; COLUMNS]; K]> = b
        .as_chunks::<COLUMNS>()
        .0
        .iter()
        .map(|columns| std::array::from_fn(|k| std::array::from_fn(|column| columns[column][k])))
        .collect();
    let registers = op.d.len() / b.len();
    for (r, a) in warps.zip(a.as_chunks::<ROWS>().0) {
        for (b, d) in b.iter().zip(op.d.chunks(registers)) {
            let (accumulator, saturate) = (op.accumulator, op.saturate);
            let (summation, c) = (op.summation, adds.then_some(d.as_ref()));
            let sums = Sums { accumulator, summation, saturate, c, d };
            add_products(r, sums, a, b);
        }
    }
}

/// The elements, of that many bytes, of each row.
fn matrix<T: Copy + Default, const BYTES: usize, const K: usize>(
    rows: &[Row],
    convert: impl Fn([u8; BYTES]) -> T,
) -> Vec<[T; K]> {
    let row = |row: &Row| {
        let elements = row.as_chunks::<BYTES>().0;
        std::array::from_fn(|k| convert(elements[k]))
    };
    rows.iter().map(row).collect()
}

#[inline(always)]
fn float<const BYTES: usize>(factor: Factor, bytes: [u8; BYTES]) -> f64 {
    let mut word = [0; 4];
    word[..BYTES].copy_from_slice(&bytes);
    let bits = u32::from_le_bytes(word);
    let value = match factor.element {
        MatrixElement::F16 => f16_to_f64(bits as u16),
        MatrixElement::Bf16 => bf16_to_f64(bits as u16),
        MatrixElement::Byte(ty) => ty.values()[usize::from(bits as u8)],
        _ => tf32_to_f64(bits),
    };
    if factor.negated { -value } else { value }
}

#[inline(always)]
fn integer(factor: Factor, [byte]: [u8; 1]) -> i32 {
    if factor.element == MatrixElement::S8 { i32::from(byte as i8) } else { i32::from(byte) }
}
