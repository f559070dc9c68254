//! f64.

use super::fragments::{addend, left, right, store_longs};
use crate::exec::registers::{Lane, Registers};
use crate::program::Multiply;

pub(super) fn multiply(r: &mut Registers, op: &Multiply) {
    match op.k {
        4 => with_extent::<4>(r, op),
        8 => with_extent::<8>(r, op),
        _ => with_extent::<16>(r, op),
    }
}

fn with_extent<const K: usize>(r: &mut Registers, op: &Multiply) {
    let read = |at, _| f64::read(r, at);
    let (a, b) = (left::<_, K, 1>(op, read), right::<_, K, 1>(op, read));
    let registers = op.sums();
    let mut sums = addend::<_, 1>(registers.c, read);
    for (sums, a) in sums.iter_mut().zip(&a) {
        for (a, b) in a.iter().zip(&b) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = a.mul_add(*b, *sum);
            }
        }
    }
    store_longs(r, registers.d, &sums, f64::to_bits);
}
