//! Fragments to matrices and back.

use crate::exec::registers::{Registers, each};
use crate::fragment::{
    COLUMNS, Position, a_position, a_registers, accumulator_position, b_position, b_registers,
};
use crate::lanes::{ALL, LANES, Lanes};
use crate::program::Multiply;

/// The most rows of A.
pub(super) const ROWS: usize = 16;

/// A matrix from registers of `PER` elements a lane: `read` gives an element of each lane from a register, `position`
/// its place from lane, register and element. Other places are zero.
#[inline(always)]
fn matrix<T: Copy + Default, const ROWS: usize, const COLUMNS: usize, const PER: usize>(
    registers: &[u32],
    read: impl Fn(u32, usize) -> Lanes<T>,
    position: impl Fn(usize, usize, usize) -> Position,
) -> [[T; COLUMNS]; ROWS] {
    let mut out = [[T::default(); COLUMNS]; ROWS];
    for (register, slot) in registers.iter().enumerate() {
        for element in 0..PER {
            let values = read(*slot, element);
            for (lane, value) in values.into_iter().enumerate() {
                let Position { row, column } = position(lane, register, element);
                out[row][column] = value;
            }
        }
    }
    out
}

/// A as a matrix.
#[inline(always)]
pub(super) fn left<T: Copy + Default, const K: usize, const PER: usize>(
    op: &Multiply,
    read: impl Fn(u32, usize) -> Lanes<T>,
) -> [[T; K]; ROWS] {
    let registers = &op.a[..a_registers(op.rows, K, PER)];
    matrix::<T, ROWS, K, PER>(registers, read, |lane, register, element| {
        a_position(op.rows, PER, lane, register, element)
    })
}

/// B as a matrix.
#[inline(always)]
pub(super) fn right<T: Copy + Default, const K: usize, const PER: usize>(
    op: &Multiply,
    read: impl Fn(u32, usize) -> Lanes<T>,
) -> [[T; COLUMNS]; K] {
    let registers = &op.b[..b_registers(K, PER)];
    matrix::<T, K, COLUMNS, PER>(registers, read, |lane, register, element| {
        b_position(PER, lane, register, element)
    })
}

/// C as a matrix, from its registers; zeros if there are none.
#[inline(always)]
pub(super) fn addend<T: Copy + Default, const PER: usize>(
    registers: Option<&[u32]>,
    read: impl Fn(u32, usize) -> Lanes<T>,
) -> [[T; COLUMNS]; ROWS] {
    let registers = registers.unwrap_or_default();
    matrix::<T, ROWS, COLUMNS, PER>(registers, read, |lane, register, element| {
        accumulator_position(PER, lane, register, element)
    })
}

/// One element of each lane's part of D in register number `register`.
#[inline(always)]
fn part<T: Copy + Default, const PER: usize>(
    matrix: &[[T; COLUMNS]; ROWS],
    register: usize,
    element: usize,
) -> Lanes<T> {
    let mut out = [T::default(); LANES];
    for (lane, out) in out.iter_mut().enumerate() {
        let Position { row, column } = accumulator_position(PER, lane, register, element);
        *out = matrix[row][column];
    }
    out
}

/// D to its registers, one 32-bit element each.
pub(super) fn store_words<T: Copy + Default>(
    r: &mut Registers,
    registers: &[u32],
    matrix: &[[T; COLUMNS]; ROWS],
    bits: impl Fn(T) -> u32,
) {
    for (register, slot) in registers.iter().enumerate() {
        r.set_word(*slot, ALL, &each(&part::<T, 1>(matrix, register, 0), &bits));
    }
}

/// D to its registers, two 16-bit elements each.
pub(super) fn store_pairs<T: Copy + Default>(
    r: &mut Registers,
    registers: &[u32],
    matrix: &[[T; COLUMNS]; ROWS],
    bits: impl Fn(T) -> u32,
) {
    for (register, slot) in registers.iter().enumerate() {
        let low = each(&part::<T, 2>(matrix, register, 0), &bits);
        let high = each(&part::<T, 2>(matrix, register, 1), &bits);
        r.set_word(*slot, ALL, &std::array::from_fn(|lane| low[lane] | high[lane] << 16));
    }
}

/// D to its registers, one 64-bit element each.
pub(super) fn store_longs<T: Copy + Default>(
    r: &mut Registers,
    registers: &[u32],
    matrix: &[[T; COLUMNS]; ROWS],
    bits: impl Fn(T) -> u64,
) {
    for (register, slot) in registers.iter().enumerate() {
        r.set_long(*slot, ALL, &each(&part::<T, 1>(matrix, register, 0), &bits));
    }
}
