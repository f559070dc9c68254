//! Weights of few bits: their types, and which number lies where.

use cudarc::driver::DeviceRepr;
use gemm_runtime::prelude::*;
use gemm_runtime::{Element, Factors, PackedOrder};

/// What weights are stored as.
pub(super) trait Weight: Element<Value = i32> + DeviceRepr {
    const NAME: &'static str;

    /// An element of random bits.
    fn random() -> Self;
}

impl Weight for i4x2 {
    const NAME: &'static str = "i4";

    fn random() -> i4x2 {
        i4x2::from_bits(fastrand::u8(..))
    }
}

impl Weight for i8 {
    const NAME: &'static str = "i8";

    fn random() -> i8 {
        fastrand::i8(..)
    }
}

impl Weight for i4x32 {
    const NAME: &'static str = "i4 packed";

    fn random() -> i4x32 {
        i4x32::from_bytes(std::array::from_fn(|_| fastrand::u8(..)))
    }
}

impl Weight for i8x16 {
    const NAME: &'static str = "i8 packed";

    fn random() -> i8x16 {
        i8x16::from_bytes(std::array::from_fn(|_| fastrand::u8(..)))
    }
}

/// Rows and columns of weights of this n and k, in elements.
pub(super) fn extents_of<W: Weight>([n, k]: [usize; 2]) -> [usize; 2] {
    let element = W::ELEMENT;
    [n / element.lines() as usize, k / element.numbers() as usize]
}

/// A weight of `k` columns whose elements are those that were drawn, over and over.
pub(super) fn weight<W: Weight>(drawn: &[W], k: usize, [line, at]: [usize; 2]) -> f64 {
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
