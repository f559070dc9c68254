//! Decides whether an output is right.
//!
//! With `u` the unit roundoff of the output's elements (0 for f32 and f64, which the limit below
//! already covers), `h` half the distance of neighbours near zero and `t = 1e-6·√K`, or `2⁻¹¹·√K` where
//! sums are f16, or `2⁻¹³·√K` where they are truncated ([`Sums`]), or `1e-15·√K` where sums and body are
//! f64, an output `y` of the result `r`, saturated to the range of the elements, has to satisfy
//!
//! - as a whole, in the Frobenius norm: `‖y − r‖ ≤ (t + u)·‖r‖ + h·√n` for n elements;
//! - in each element: `|y − r| ≤ 1.26·u·|r| + h + 8·t·rms(r)`, the rounding to the element type, which
//!   the shorter forms of functions may turn, and the accumulation in f32 or f64. The error of an accumulation scales with the terms, not with their sum,
//!   hence the root mean square; the factor leaves room for the largest of millions of elements.
//!
//! Where the body's value is an integer, `y` is `r`.
//!
//! Where `r` is NaN or infinite, `y` is what storing it gives: NaN, or an infinity of the same sign.
//! Where the value of a float body is infinite, `y` may also be so close to the largest number of its
//! type that rounding decides. Where `r` is too large for an element, or not quite, `y` may be infinite
//! as well as a number within its limit. The norms and the root mean square are those of the elements
//! that are stored as numbers.

use fastrand::Rng;
use gemm_codegen::{Accumulator, Sums};
use gemm_runtime::{Element, Value, e4m3, e5m2};
use half::{bf16, f16};

mod verdict;

pub use verdict::{Verdict, judge};

/// An element type with what the harness has to know about it.
pub trait TestElement: Element {
    /// Half the distance from 1 to the next larger number; 0 for f32 and f64.
    const UNIT_ROUNDOFF: f64;
    /// Half the smallest positive number: what rounding costs close to zero.
    const HALF_SMALLEST: f64;
    /// The smallest and the largest value to which storing saturates.
    const RANGE: [f64; 2];
    /// The bits of elements that were not written: a NaN that no kernel computes, or an integer
    /// that is rare.
    const POISON: Self;

    /// Whether these are the bits of [`POISON`](Self::POISON).
    fn is_poison(self) -> bool;

    /// A random element: a float in -1..1, any integer of 8 bits, a small one of 32.
    fn random(rng: &mut Rng) -> Self;
}

/// The type of a body's value, as the judge sees it.
pub trait Expected: Value {
    /// Whether a kernel computes it without any rounding.
    const EXACT: bool;
    /// What a body of such values may be off by, over √K.
    const TOLERANCE: f64;
    /// The largest number.
    const LARGEST: f64;

    /// The value; exact.
    fn to_f64(self) -> f64;
}

/// `t` of f32, over √K.
const SINGLE: f64 = 1e-6;

/// `t` of f64, over √K.
const DOUBLE: f64 = 1e-15;

macro_rules! expected {
    ($($ty:ident: $exact:literal, $tolerance:expr;)+) => {
        $(impl Expected for $ty {
            const EXACT: bool = $exact;
            const TOLERANCE: f64 = $tolerance;
            const LARGEST: f64 = $ty::MAX as f64;

            fn to_f64(self) -> f64 {
                self.into()
            }
        })+
    };
}

expected! {
    f32: false, SINGLE;
    f64: false, DOUBLE;
    i32: true, 0.0;
}

/// `t` of sums that are truncated, over √K: the last of their bits.
///
/// Each of the K/32 instructions of a sum drops up to 32 of these bits of its accumulator, always toward
/// zero. The accumulator grows as √K, and so does what is dropped as a share of it. Of factors in -1..1
/// that is `2.3e-5·√K` at most, simulated for K up to 16384. The rest is room for outputs of few
/// elements, whose norm may be far below that of their sums.
const TRUNCATED: f64 = 1.0 / 8192.0;

/// What sums may be off by, over √K and their root mean square.
pub fn tolerance(sums: Sums) -> f64 {
    match sums {
        Sums::Rounded(Accumulator::F16) => f16::UNIT_ROUNDOFF,
        Sums::Rounded(Accumulator::F32) => SINGLE,
        Sums::Rounded(Accumulator::F64) => DOUBLE,
        Sums::Rounded(Accumulator::I32) => 0.0,
        Sums::Truncated => TRUNCATED,
    }
}

/// A float in -1..1.
fn uniform<T: Element>(rng: &mut Rng) -> T {
    T::from_f64(f64::from(rng.f32() * 2.0 - 1.0))
}

/// A float in -1..1; of f32 one in sixteen is half way between two numbers of tf32.
fn single(rng: &mut Rng) -> f32 {
    const UNUSED: u32 = (1 << 13) - 1;
    const HALF: u32 = 1 << 12;
    let bits = uniform::<f32>(rng).to_bits();
    let is_tie = bits >> 8 & 15 == 0;
    f32::from_bits(if is_tie { bits & !UNUSED | HALF } else { bits })
}

macro_rules! floats {
    ($($ty:ident: $roundoff:expr, $smallest:expr, $largest:expr, $poison:literal, $random:expr;)+) => {
        $(impl TestElement for $ty {
            const UNIT_ROUNDOFF: f64 = $roundoff;
            const HALF_SMALLEST: f64 = $smallest / 2.0;
            const RANGE: [f64; 2] = [-$largest, $largest];
            const POISON: Self = $ty::from_bits($poison);

            fn is_poison(self) -> bool {
                self.to_bits() == Self::POISON.to_bits()
            }

            fn random(rng: &mut Rng) -> Self {
                $random(rng)
            }
        })+
    };
}

// The NaN that conversions to 8 bits give is 0x7f.
floats! {
    f16: 1.0 / 2048.0, 1.0 / 16_777_216.0, f64::INFINITY, 0x7e5a, uniform;
    bf16: 1.0 / 256.0, 0.0, f64::INFINITY, 0x7fda, uniform;
    f32: 0.0, 0.0, f64::INFINITY, 0x7fc0_5a5a, single;
    f64: 0.0, 0.0, f64::INFINITY, 0x7ff8_5a5a_5a5a_5a5a, |rng: &mut Rng| rng.f64() * 2.0 - 1.0;
    e4m3: 1.0 / 16.0, 1.0 / 512.0, 448.0, 0xff, uniform;
    e5m2: 1.0 / 8.0, 1.0 / 65_536.0, 57_344.0, 0xfd, uniform;
}

macro_rules! integers {
    ($($ty:ident: $poison:literal, $random:expr;)+) => {
        $(impl TestElement for $ty {
            const UNIT_ROUNDOFF: f64 = 0.0;
            const HALF_SMALLEST: f64 = 0.5;
            const RANGE: [f64; 2] = [$ty::MIN as f64, $ty::MAX as f64];
            const POISON: Self = $poison;

            fn is_poison(self) -> bool {
                self == Self::POISON
            }

            fn random(rng: &mut Rng) -> Self {
                $random(rng)
            }
        })+
    };
}

integers! {
    i8: -91, |rng: &mut Rng| rng.i8(..);
    u8: 165, |rng: &mut Rng| rng.u8(..);
    i32: 0x5a5a_a5a5, |rng: &mut Rng| rng.i32(-10_000..10_000);
}

#[cfg(test)]
mod tests;
