//! Weights of few bits: their types, and which number lies where.

use cudarc::driver::DeviceRepr;
use gemm_runtime::prelude::*;
use gemm_runtime::{Element, Factors, PackedOrder};
use half::bf16;

use crate::operands::Sample;

/// What weights are stored as, and what they are scaled by.
pub(super) trait Format {
    const NAME: &'static str;
    /// What the weights are.
    type Weight: Element<Value = i32> + DeviceRepr;
    /// What their scales are, and their offsets.
    type Scale: Sample;
    /// K of the weights that have one scale.
    const GROUP: usize;
    /// Whether they have offsets, which are added to the scaled weight.
    const OFFSETS: bool = false;

    /// A weight of random bits.
    fn random() -> Self::Weight;
}

/// Scales of bf16 for each 128 of K, beside weights of a type.
macro_rules! formats {
    ($($format:ident: $name:literal, $weight:ty, $random:expr;)*) => {$(
        pub(super) struct $format;

        impl Format for $format {
            const NAME: &'static str = $name;
            type Weight = $weight;
            type Scale = bf16;
            const GROUP: usize = 128;

            fn random() -> $weight {
                $random
            }
        }
    )*};
}

formats! {
    Pairs: "i4", i4x2, i4x2::from_bits(fastrand::u8(..));
    Bytes: "i8", i8, fastrand::i8(..);
    PackedPairs: "i4 packed", i4x32, i4x32::from_bytes(std::array::from_fn(|_| fastrand::u8(..)));
    PackedBytes: "i8 packed", i8x16, i8x16::from_bytes(std::array::from_fn(|_| fastrand::u8(..)));
}

/// As gemm-candle multiplies `Q4_K`.
pub(super) struct Blocks;

impl Format for Blocks {
    const NAME: &'static str = "u4 packed, 32";
    type Weight = u4x32;
    type Scale = f32;
    const GROUP: usize = 32;
    const OFFSETS: bool = true;

    fn random() -> u4x32 {
        u4x32::from_bytes(std::array::from_fn(|_| fastrand::u8(..)))
    }
}

/// Rows and columns of weights of this n and k, in elements.
pub(super) fn extents_of<F: Format>([n, k]: [usize; 2]) -> [usize; 2] {
    let element = F::Weight::ELEMENT;
    [n / element.lines() as usize, k / element.numbers() as usize]
}

/// A weight of `k` columns whose elements are those that were drawn, over and over.
pub(super) fn weight<W: Element<Value = i32>>(
    drawn: &[W],
    k: usize,
    [line, at]: [usize; 2],
) -> f64 {
    let numbers = W::ELEMENT.numbers() as usize;
    let (row, column, number) = match PackedOrder::of(W::ELEMENT) {
        None => (line, at / numbers, at % numbers),
        Some(order) => {
            let place = order.place(line, at);
            (place.row, place.column, place.number)
        }
    };
    let element = drawn[(row * (k / numbers) + column) % drawn.len()];
    element.number(number, Factors::Exact).into()
}
