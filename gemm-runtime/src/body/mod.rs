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
//! are 0, and `i32::MIN / -1` and `i32::MIN.abs()` are `i32::MIN`. Where bounds of `clamp` are in the
//! wrong order Rust panics; a kernel, which cannot, raises to `lo` first and then lowers to `hi`.

pub(crate) mod real;
#[doc(hidden)]
pub mod wrapping;

use real::{Formulas, Real};

/// A factor inside a body: it has no value of its own, only [`matmul`] takes it.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Factor<T>(pub T);

/// An operand of [`matmul`]: a [`Factor`], by the type of the sum.
#[doc(hidden)]
pub trait Multiplied {
    /// The type of the accumulator.
    type Sum;

    /// The accumulator of the product of which it is the second factor.
    fn sum(self) -> Self::Sum;
}

impl<T> Multiplied for Factor<T> {
    type Sum = T;

    fn sum(self) -> T {
        self.0
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

/// `max(x, 0)`.
#[inline]
pub fn relu<T: Real>(x: T) -> T {
    Formulas::relu(x)
}

/// `x / 2 · (1 + erf(x / √2))`, the exact GELU. See [`gelu_tanh`] for the approximation.
#[inline]
pub fn gelu<T: Real>(x: T) -> T {
    Formulas::gelu(x)
}

/// `x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))`, the usual approximation of [`gelu`].
#[inline]
pub fn gelu_tanh<T: Real>(x: T) -> T {
    Formulas::gelu_tanh(x)
}

/// `x · sigmoid(x)`, also called swish.
#[inline]
pub fn silu<T: Real>(x: T) -> T {
    Formulas::silu(x)
}

/// `1 / (1 + e⁻ˣ)`.
#[inline]
pub fn sigmoid<T: Real>(x: T) -> T {
    Formulas::sigmoid(x)
}

/// `ln(1 + eˣ)`, computed as `max(x, 0) + ln(1 + e^-|x|)`, which does not overflow.
#[inline]
pub fn softplus<T: Real>(x: T) -> T {
    Formulas::softplus(x)
}

/// `x · hardsigmoid(x)`.
#[inline]
pub fn hardswish<T: Real>(x: T) -> T {
    Formulas::hardswish(x)
}

/// `(x + 3) / 6`, clamped to `0..=1`.
#[inline]
pub fn hardsigmoid<T: Real>(x: T) -> T {
    Formulas::hardsigmoid(x)
}

/// `x · tanh(softplus(x))`.
#[inline]
pub fn mish<T: Real>(x: T) -> T {
    Formulas::mish(x)
}

/// `x` where it is positive, else `slope · x`.
#[inline]
pub fn leaky_relu<T: Real>(x: T, slope: T) -> T {
    Formulas::leaky_relu(x, slope)
}

/// `x` where it is positive, else `alpha · (eˣ - 1)`.
#[inline]
pub fn elu<T: Real>(x: T, alpha: T) -> T {
    Formulas::elu(x, alpha)
}

#[cfg(test)]
mod tests;
