//! Single bits: a whole word of them is one element of the fragment.

use super::super::registers::Registers;
use super::fragments::{addend, left, right, store_words};
use crate::program::{BitProduct, Multiply};

pub(super) fn multiply(r: &mut Registers, op: &Multiply) {
    match op.k {
        128 => with_words::<4>(r, op),
        _ => with_words::<8>(r, op),
    }
}

fn with_words<const WORDS: usize>(r: &mut Registers, op: &Multiply) {
    let read = |at, _| *r.word(at);
    let (a, b) = (left::<_, WORDS, 1>(op, read), right::<_, WORDS, 1>(op, read));
    let mut sums = addend::<_, 1>(op, read);
    for (sums, a) in sums.iter_mut().zip(&a) {
        for (a, b) in a.iter().zip(&b) {
            for (sum, b) in sums.iter_mut().zip(b) {
                let product = match op.bit_product {
                    BitProduct::And => a & b,
                    BitProduct::Xor => a ^ b,
                };
                *sum = sum.wrapping_add(product.count_ones());
            }
        }
    }
    store_words(r, op, &sums, |x| x);
}
