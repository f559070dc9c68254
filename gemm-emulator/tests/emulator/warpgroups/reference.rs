//! The arithmetic of `wgmma` on the host, in integers.

use super::forms::{Form, IMAGE, PART_B, bytes};
use crate::device::Random;
use crate::multiply::reference::{integer, random, sum};
use crate::multiply::rule;

/// The input of a kernel: the image of shared memory and the accumulators.
pub(crate) struct Input {
    image: Vec<u8>,
    /// Of rows and columns.
    c: Vec<Vec<u64>>,
}

/// The row and column of an element of a thread. (PTX ISA, "Register Fragments for wgmma.mma_async")
fn place(thread: usize, element: usize) -> (usize, usize) {
    let (warp, lane) = (thread / 32, thread % 32);
    let row = 16 * warp + lane / 4 + 8 * (element / 2 % 2);
    (row, 8 * (element / 4) + 2 * (lane % 4) + element % 2)
}

impl Input {
    pub(crate) fn random(form: &Form, seed: u64) -> Input {
        let mut source = Random(seed);
        let mut image = Vec::new();
        for (ty, end) in [(form.a, PART_B), (form.b, IMAGE)] {
            while image.len() < end {
                let bits = random(ty, &mut source).to_le_bytes();
                image.extend(&bits[..bytes(ty)]);
            }
        }
        let mut row = || (0..form.columns).map(|_| random(form.accumulator, &mut source)).collect();
        Input { image, c: (0..64).map(|_| row()).collect() }
    }

    /// As the kernel reads it.
    pub(crate) fn bytes(&self, form: &Form) -> Vec<u8> {
        let c = accumulators(form, |row, column| self.c[row][column]);
        [self.image.as_slice(), &c].concat()
    }

    /// What the kernel writes.
    pub(crate) fn expected(&self, form: &Form) -> Vec<u8> {
        let matrix = |which, extent| -> Vec<Vec<i128>> {
            let row = |mn| (0..form.k()).map(|k| self.factor(form, which, mn, k)).collect();
            (0..extent).map(row).collect()
        };
        let (a, b) = (matrix(0, 64), matrix(1, form.columns));
        accumulators(form, |row, column| {
            let c = if form.adds { self.c[row][column] } else { 0 };
            let products = a[row].iter().zip(&b[column]).map(|(a, b)| [*a, *b]);
            if rule::has_rule(form.a) {
                let (rule, products) = (rule::of_warpgroup(form.a), products.collect::<Vec<_>>());
                return rule::add(rule, &products, form.accumulator, c);
            }
            let products = products.map(|[a, b]| a * b).sum();
            sum(products, form.accumulator, c, !form.clamp.is_empty())
        })
    }

    fn factor(&self, form: &Form, which: usize, mn: usize, k: usize) -> i128 {
        let (ty, part) = [(form.a, 0), (form.b, PART_B)][which];
        let at = part + form.layouts[which].place(bytes(ty), mn, k);
        let element = self.image[at..at + bytes(ty)].iter().rev();
        let bits = element.fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        if form.negated[which] { -integer(ty, bits) } else { integer(ty, bits) }
    }
}

/// The accumulators of all threads, from their bits by row and column.
fn accumulators(form: &Form, bits: impl Fn(usize, usize) -> u64) -> Vec<u8> {
    let mut out = Vec::new();
    for thread in 0..128 {
        for element in 0..form.columns / 2 {
            let (row, column) = place(thread, element);
            out.extend(&bits(row, column).to_le_bytes()[..bytes(form.accumulator)]);
        }
    }
    out
}
