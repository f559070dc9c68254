//! The functions of a `#[gemm]` body, as they run on the host: what type-checks a body and what
//! `reference` calls.
//!
//! Each has a twin on the device with the same formula. The two differ by the rounding of the
//! elementary functions (a few units in the last place) and by the fused multiply-adds that the
//! device's compiler forms. NaN gives NaN, and infinities give the limits.
//!
//! Beside these a body can call the `f32` methods `abs max min clamp mul_add recip sqrt exp exp2
//! ln log2 powi powf tanh sin cos floor ceil round trunc signum` and the `i32` methods `abs max
//! min`. On the device i32 arithmetic wraps as in release builds, and where Rust panics (division
//! by zero, bounds of `clamp` in the wrong order) a kernel, which cannot, goes on: `i / 0` and
//! `i % 0` are 0, `i32::MIN / -1` wraps, `clamp` raises to `lo` first and then lowers to `hi`.

use std::f32::consts::FRAC_1_SQRT_2;

/// A multiplied operand inside a body: it has no value but what [`matmul`] makes of two of them.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Factor<T>(pub T);

/// What [`matmul`] multiplies: a [`Factor`], by the type of the sum.
#[doc(hidden)]
pub trait Multiplied {
    /// The type of the accumulator.
    type Sum;

    /// The accumulator.
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
/// It means something only inside a `#[gemm]` body, where it takes the names of two `Mat`
/// parameters; each body calls it once.
#[inline]
pub fn matmul<F: Multiplied>(a: F, _b: F) -> F::Sum {
    a.sum()
}

/// `x`, but finite where it goes to -∞: a factor that vanishes there then gives 0, not NaN.
fn above_infinity(x: f32) -> f32 {
    x.max(f32::MIN)
}

/// `max(x, 0)`.
#[inline]
pub fn relu(x: f32) -> f32 {
    if x <= 0.0 { 0.0 } else { x }
}

/// `x / 2 · (1 + erf(x / √2))`, the exact GELU. See [`gelu_tanh`] for the approximation.
#[inline]
pub fn gelu(x: f32) -> f32 {
    0.5 * above_infinity(x) * (1.0 + libm::erff(x * FRAC_1_SQRT_2))
}

/// `x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))`, the usual approximation of [`gelu`].
#[inline]
pub fn gelu_tanh(x: f32) -> f32 {
    // √(2/π). (1 + tanh(u)) / 2 is sigmoid(2 u).
    let u = 0.797_884_6 * x * (1.0 + 0.044_715 * x * x);
    above_infinity(x) * sigmoid(2.0 * u)
}

/// `x · sigmoid(x)`, also called swish.
#[inline]
pub fn silu(x: f32) -> f32 {
    above_infinity(x) * sigmoid(x)
}

/// `1 / (1 + e⁻ˣ)`.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(1 + eˣ)`, as `max(x, 0) + ln(1 + e^-|x|)`, where nothing overflows.
#[inline]
pub fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// `x · hardsigmoid(x)`.
#[inline]
pub fn hardswish(x: f32) -> f32 {
    above_infinity(x) * hardsigmoid(x)
}

/// `(x + 3) / 6`, clamped to `0..=1`.
#[inline]
pub fn hardsigmoid(x: f32) -> f32 {
    (x + 3.0).clamp(0.0, 6.0) * (1.0 / 6.0)
}

/// `x · tanh(softplus(x))`.
#[inline]
pub fn mish(x: f32) -> f32 {
    above_infinity(x) * softplus(x).tanh()
}

/// `x` where it is positive, else `slope · x`.
#[inline]
pub fn leaky_relu(x: f32, slope: f32) -> f32 {
    if x > 0.0 { x } else { slope * x }
}

/// `x` where it is positive, else `alpha · (eˣ - 1)`.
#[inline]
pub fn elu(x: f32, alpha: f32) -> f32 {
    if x > 0.0 { x } else { alpha * x.exp_m1() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, function, its definition in f64, its limits at -∞ and ∞.
    type Case = (&'static str, fn(f32) -> f32, fn(f64) -> f64, f32, f32);

    const CASES: [Case; 11] = [
        ("relu", relu, |x| x.max(0.0), 0.0, f32::INFINITY),
        ("gelu", gelu, |x| x / 2.0 * (1.0 + libm::erf(x / 2f64.sqrt())), 0.0, f32::INFINITY),
        ("gelu_tanh", gelu_tanh, wide_gelu_tanh, 0.0, f32::INFINITY),
        ("silu", silu, |x| x / (1.0 + (-x).exp()), 0.0, f32::INFINITY),
        ("sigmoid", sigmoid, |x| 1.0 / (1.0 + (-x).exp()), 0.0, 1.0),
        ("softplus", softplus, wide_softplus, 0.0, f32::INFINITY),
        ("hardswish", hardswish, |x| x * ((x + 3.0) / 6.0).clamp(0.0, 1.0), 0.0, f32::INFINITY),
        ("hardsigmoid", hardsigmoid, |x| ((x + 3.0) / 6.0).clamp(0.0, 1.0), 0.0, 1.0),
        ("mish", mish, |x| x * wide_softplus(x).tanh(), 0.0, f32::INFINITY),
        (
            "leaky_relu",
            |x| leaky_relu(x, 0.1),
            |x| x.max(0.1 * x),
            f32::NEG_INFINITY,
            f32::INFINITY,
        ),
        (
            "elu",
            |x| elu(x, 1.5),
            |x| if x > 0.0 { x } else { 1.5 * x.exp_m1() },
            -1.5,
            f32::INFINITY,
        ),
    ];

    fn wide_gelu_tanh(x: f64) -> f64 {
        let u = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3));
        x / 2.0 * (1.0 + u.tanh())
    }

    fn wide_softplus(x: f64) -> f64 {
        // e^x is finite in f64 wherever the tests look, but 1 + e^x is not exact.
        x.exp().ln_1p()
    }

    #[test]
    fn formulas_agree_with_their_definitions() {
        for (name, f, wide, ..) in CASES {
            for step in -4000..=4000 {
                let x = step as f32 / 40.0;
                let (found, expected) = (f64::from(f(x)), wide(f64::from(x)));
                let error = (found - expected).abs();
                assert!(error <= 5e-7 * expected.abs() + 1e-6, "{name}({x}): {found}, {expected}");
            }
        }
    }

    #[test]
    fn large_arguments_give_the_limits() {
        for (name, f, _, low, high) in CASES {
            assert_eq!(f(f32::NEG_INFINITY), low, "{name}");
            assert_eq!(f(f32::INFINITY), high, "{name}");
            for x in [1e4, 1e10, 1e30, f32::MAX] {
                let up = if high.is_finite() { high } else { x };
                let down = if low.is_finite() { low } else { -0.1 * x };
                assert_eq!(f(x), up, "{name}({x})");
                assert!((f(-x) - down).abs() <= 1e-6 * down.abs(), "{name}(-{x}): {}", f(-x));
            }
        }
    }

    #[test]
    fn nan_stays_nan() {
        for (name, f, ..) in CASES {
            assert!(f(f32::NAN).is_nan(), "{name}");
        }
    }

    #[test]
    fn zeros_are_exact() {
        for (name, f, ..) in CASES {
            let expected = match name {
                "sigmoid" | "hardsigmoid" => 0.5,
                "softplus" => std::f32::consts::LN_2,
                _ => 0.0,
            };
            assert_eq!(f(0.0), expected, "{name}");
        }
    }

    #[test]
    fn matmul_is_the_accumulator() {
        assert_eq!(matmul(Factor(2.5), Factor(2.5)), 2.5);
        assert_eq!(matmul(Factor(7), Factor(7)), 7);
    }
}
