//! [`Summation`](gemm_codegen::Summation): plans whose summations are equal give equal bits on the emulator, which
//! adds as tensor cores do, and differences between summations show in the bits.

mod drawn;
mod named;
mod product;

use crate::Test;
use crate::random_specs::{seed, with_seed};

pub(crate) fn tests() -> Vec<Test> {
    let seed = seed();
    let mut tests = named::tests();
    tests.extend(drawn::ELEMENTS.map(|(element, draws)| {
        let run = move || with_seed(seed, || drawn::equal_summations(seed, element, draws));
        Test::new(format!("equal_summations_of_{element}_give_equal_bits"), run)
    }));
    tests
}
