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
//! A body may carry an error farther than in proportion to its value: `exp(s)` is off by `exp(s)` times what the
//! sum `s` is. So where an output does not satisfy this, `c` is what the body makes of `t·rms(s)` in each of its
//! sums and of the rounding of each of its steps, `t·‖r‖` may be `‖c‖`, and `8·t·rms(r)` may be `2·c`.
//!
//! Where the body's value is an integer, `y` is `r`.
//!
//! Where `r` is NaN or infinite, `y` is what storing it gives: NaN, or an infinity of the same sign.
//! Where the value of a float body is infinite, `y` may also be so close to the largest number of its
//! type that rounding decides. Where `r` is too large for an element, or not quite, `y` may be infinite
//! as well as a number within its limit. The norms and the root mean square are those of the elements
//! that are stored as numbers.

use fastrand::Rng;
use gemm_codegen::{Accumulator, Element as ElementType, Kernel, Parameter, Sums, Target};
use gemm_runtime::{Element, Value};

mod verdict;

pub(crate) use verdict::{Bound, judge_carried};
pub use verdict::{Verdict, judge};

/// What the harness has to know about an element type.
pub trait TestElement: Element {
    /// The distance of a number from the nearest element, over the number; 0 for f32 and f64.
    fn unit_roundoff() -> f64 {
        if Self::ELEMENT.is_narrow() { Self::ELEMENT.unit_roundoff() } else { 0.0 }
    }

    /// Half the smallest positive number: what rounding costs close to zero. 0 for f32 and f64.
    fn half_smallest() -> f64 {
        let of = Self::ELEMENT;
        if of.is_narrow() || of.is_integer() { of.smallest() / 2.0 } else { 0.0 }
    }

    /// The smallest and the largest value to which storing saturates.
    fn range() -> [f64; 2] {
        [f64::NEG_INFINITY, f64::INFINITY].map(|beyond| Self::from_f64(beyond).to_f64())
    }

    /// The bits of elements that were not written: a NaN that no kernel computes, or an integer
    /// that is rare.
    fn poison() -> Self {
        let bits: u128 = match (Self::ELEMENT.is_integer(), size_of::<Self>()) {
            (true, 1) => 0xa5,
            (true, 4) => 0x5a5a_a5a5,
            (true, _) => 0xa5a5_a5a5_a5a5_a5a5_5a5a_5a5a_5a5a_5a5a,
            // The NaN that conversions to 8 bits give is 0x7f.
            (false, 1) => 0xff,
            (false, 2) => 0x7fda,
            (false, 4) => 0x7fc0_5a5a,
            (false, _) => 0x7ff8_5a5a_5a5a_5a5a,
        };
        bytemuck::pod_read_unaligned(&bits.to_le_bytes()[..size_of::<Self>()])
    }

    /// Whether these are the bits of [`poison`](Self::poison).
    fn is_poison(self) -> bool {
        bytemuck::bytes_of(&self) == bytemuck::bytes_of(&Self::poison())
    }

    /// A random element: a float in -1..1, any integer of 8 bits, a small one of 32, any bits of several integers.
    fn random(rng: &mut Rng) -> Self {
        if Self::ELEMENT.is_several() {
            return bytemuck::pod_read_unaligned(&rng.u128(..).to_le_bytes()[..size_of::<Self>()]);
        }
        Self::from_f64(match Self::ELEMENT {
            ElementType::F32 => single(rng).into(),
            ElementType::F64 => rng.f64() * 2.0 - 1.0,
            ElementType::I8 => rng.i8(..).into(),
            ElementType::U8 => rng.u8(..).into(),
            ElementType::I32 => rng.i32(-10_000..10_000).into(),
            _ => uniform(rng).into(),
        })
    }
}

impl<T: Element> TestElement for T {}

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
        Sums::Rounded(Accumulator::F16) => ElementType::F16.unit_roundoff(),
        Sums::Rounded(Accumulator::F32) => SINGLE,
        Sums::Rounded(Accumulator::F64) => DOUBLE,
        Sums::Rounded(Accumulator::I32) => 0.0,
        // Of each promotion it is a share of what that adds.
        Sums::Truncated | Sums::Promoted(_) => TRUNCATED,
    }
}

/// What the sums of a kernel may be off by, over √K and their root mean square; 0 if it states none.
///
/// On sm_89 `mma.sync` truncates the f32 sums of 8-bit floats as `wgmma` does, to 16 products at a time.
pub(crate) fn tolerance_of(kernel: &Kernel) -> f64 {
    let is_small = |parameter: &Parameter| {
        let element = parameter.kind.element();
        parameter.kind.is_multiplied() && element.is_some_and(ElementType::is_float8)
    };
    let truncates = kernel.launch.lowest_target() == Some(Target::Sm89)
        && kernel.parameters.iter().any(is_small);
    match kernel.facts.as_ref().map(|facts| facts.sums) {
        Some(Sums::Rounded(Accumulator::F32)) if truncates => TRUNCATED,
        Some(sums) => tolerance(sums),
        None => 0.0,
    }
}

/// A float in -1..1.
fn uniform(rng: &mut Rng) -> f32 {
    rng.f32() * 2.0 - 1.0
}

/// A float in -1..1; of f32 one in sixteen is half way between two numbers of tf32.
fn single(rng: &mut Rng) -> f32 {
    const UNUSED: u32 = (1 << 13) - 1;
    const HALF: u32 = 1 << 12;
    let bits = uniform(rng).to_bits();
    let is_tie = bits >> 8 & 15 == 0;
    f32::from_bits(if is_tie { bits & !UNUSED | HALF } else { bits })
}

#[cfg(test)]
mod tests;
