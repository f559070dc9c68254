//! The functions of a `#[gemm]` body on the host: rustc type-checks bodies against them, and
//! `reference` calls them.
//!
//! Each has a device function with the same formula; that of `gelu` approximates `erfc` in f32. The two
//! differ by the rounding of the elementary functions and by the fused multiply-adds that the device's
//! compiler forms: `docs/support.md` has the largest error of each function by type. NaN gives NaN, and
//! infinities give the limits.
//!
//! A body can also call the `f32` and `f64` methods `abs max min clamp mul_add recip sqrt exp exp2
//! ln log2 powi powf tanh sin cos floor ceil round trunc signum` and the `i32` methods `abs max
//! min`. i32 arithmetic wraps, on the device and in `reference`, in every build: `i / 0` and `i % 0`
//! are 0, and `i32::MIN / -1` and `i32::MIN.abs()` are `i32::MIN`. `clamp` raises to `lo` first and
//! then lowers to `hi`: bounds in the wrong order do not panic.
//!
//! `sum`, `max`, `min` and `abs_max` end a body: their value is that of an output which is a vector.
//!
//! `row()`, `column()` and `batch()`, the coordinates of the element in the output, are not in this module: the
//! expansion passes them to the body, because they depend on the element.

mod functions;
pub(crate) mod real;
mod reductions;
#[doc(hidden)]
pub mod wrapping;

use std::ops::{Add, Mul, Sub};

pub use functions::*;
pub use reductions::*;

/// A factor inside a body: it has no value of its own, only [`matmul`] takes it.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Factor<T>(pub T);

/// An operand of [`matmul`]: a [`Factor`], by the type of the sum.
#[doc(hidden)]
pub trait Multiplied {
    /// The type of the accumulator.
    type Sum;

    /// The accumulator of the product that has it as its second factor.
    fn sum(self) -> Self::Sum;
}

impl<T> Multiplied for Factor<T> {
    type Sum = T;

    fn sum(self) -> T {
        self.0
    }
}

/// The scales or the offsets of a factor inside a body: they have no value of their own, only a [`Factor`] is
/// multiplied by them, less them, or added to them.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Scales;

impl<T> Mul<Scales> for Factor<T> {
    type Output = Factor<T>;

    fn mul(self, _: Scales) -> Factor<T> {
        self
    }
}

impl<T> Mul<Factor<T>> for Scales {
    type Output = Factor<T>;

    fn mul(self, factor: Factor<T>) -> Factor<T> {
        factor
    }
}

impl<T> Sub<Scales> for Factor<T> {
    type Output = Factor<T>;

    fn sub(self, _: Scales) -> Factor<T> {
        self
    }
}

impl<T> Add<Scales> for Factor<T> {
    type Output = Factor<T>;

    fn add(self, _: Scales) -> Factor<T> {
        self
    }
}

impl<T> Add<Factor<T>> for Scales {
    type Output = Factor<T>;

    fn add(self, factor: Factor<T>) -> Factor<T> {
        factor
    }
}

/// `Σ a(m, k) · b(k, n)`, the accumulator, for the element of the output that a body computes.
///
/// Only for `#[gemm]` bodies, where it takes the names of two `Mat` parameters. Several products have one
/// first factor: `silu(matmul(x, gate)) * matmul(x, up)`.
#[inline]
pub fn matmul<F: Multiplied>(_a: F, b: F) -> F::Sum {
    b.sum()
}

#[cfg(test)]
mod tests;
