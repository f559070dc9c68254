//! [`Element`]: the Rust types of matrix elements.

use std::fmt;

use gemm_codegen::Factors;
use half::{bf16, f16};

use crate::float8::{e4m3, e5m2};
use crate::packed::{i4x32, i8x16, u4x32, u8x16};
use crate::pairs::{i4x2, u4x2};
use crate::value::Value;

mod sealed {
    pub trait Sealed {}
}

/// A type a matrix or vector in device memory can hold: `f16`, `bf16`, `f32`, `f64`, `i8`, `u8`,
/// `i32`, `e4m3`, `e5m2`, and of a factor `i4x2`, `u4x2`, or the packed `i4x32`, `u4x32`, `i8x16`, `u8x16`.
///
/// Sealed: each of them has a code path in the emitted kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of a matrix",
    label = "expected `f16`, `bf16`, `f32`, `f64`, `i8`, `u8`, `i32`, `e4m3`, `e5m2`, `i4x2`, `u4x2`, `i4x32`, `u4x32`, `i8x16` or `u8x16`"
)]
pub trait Element:
    sealed::Sealed + bytemuck::Pod + Default + PartialEq + fmt::Debug + Send + Sync + 'static
{
    /// The code generator's name of this type.
    const ELEMENT: gemm_codegen::Element;

    /// The type of an element inside a body.
    type Value: Value;

    /// The value as an f64; exact.
    fn to_f64(self) -> f64;

    /// The value inside a body; exact.
    fn to_value(self) -> Self::Value;

    /// The number `at`, of those that an element of a factor has, as a factor in a kernel that rounds factors like this.
    fn number(self, at: usize, factors: Factors) -> Self::Value {
        let _ = at;
        self.to_factor(factors)
    }

    /// The value as a factor in a kernel that rounds factors like this. Only `f32` is ever rounded.
    fn to_factor(self, _factors: Factors) -> Self::Value {
        self.to_value()
    }

    /// The nearest value, ties to even. Integers saturate, and NaN becomes 0; `e4m3` and `e5m2`
    /// saturate to their largest finite number, and keep NaN.
    fn from_f64(value: f64) -> Self;
}

/// An expression in which `$ty` is the type of an element that is known at run time only.
#[doc(hidden)]
#[macro_export]
macro_rules! with_element {
    ($element:expr, $ty:ident => $value:expr) => {
        $crate::with_element!(@of $element, $ty => $value;
            F16 = $crate::f16, Bf16 = $crate::bf16, F32 = f32, F64 = f64, I8 = i8, U8 = u8, I32 = i32,
            E4m3 = $crate::e4m3, E5m2 = $crate::e5m2, I4x2 = $crate::i4x2, U4x2 = $crate::u4x2, I4x32 = $crate::i4x32,
            U4x32 = $crate::u4x32, I8x16 = $crate::i8x16, U8x16 = $crate::u8x16)
    };
    (@of $element:expr, $ty:ident => $value:expr; $($variant:ident = $of:ty),+) => {
        match $element {
            $($crate::__private::codegen::Element::$variant => {
                type $ty = $of;
                $value
            })+
        }
    };
}

macro_rules! floats {
    ($($ty:ident = $element:ident;)+) => {
        $(impl sealed::Sealed for $ty {}

        impl Element for $ty {
            const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::$element;

            type Value = f32;

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn to_value(self) -> f32 {
                self.into()
            }

            fn to_factor(self, factors: Factors) -> f32 {
                floats!(@factor $ty self, factors)
            }

            fn from_f64(value: f64) -> Self {
                floats!(@from $ty value)
            }
        })+
    };
    (@factor f32 $value:ident, $factors:ident) => { round($value, $factors) };
    (@factor $ty:ident $value:ident, $factors:ident) => {{
        let _ = $factors;
        $value.to_value()
    }};
    (@from f32 $value:ident) => { $value as f32 };
    (@from f16 $value:ident) => { f16::from_f32(to_odd($value)) };
    (@from bf16 $value:ident) => { bf16::from_f32(to_odd($value)) };
    (@from $ty:ident $value:ident) => { $ty::from_f64($value) };
}

floats! {
    f16 = F16;
    bf16 = Bf16;
    f32 = F32;
    e4m3 = E4m3;
    e5m2 = E5m2;
}

/// The value as an f32 whose last bit is set where digits are lost, so that it may be rounded once more
/// to 16 bits. `from_f64` of `half` drops digits, and takes numbers next to a tie for ties.
fn to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let wide = f64::from(nearest);
    if wide == value || value.is_nan() {
        return nearest;
    }
    let truncated = nearest.to_bits() - u32::from(wide.abs() > value.abs());
    f32::from_bits(truncated | 1)
}

impl sealed::Sealed for f64 {}

impl Element for f64 {
    const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::F64;

    type Value = f64;

    fn to_f64(self) -> f64 {
        self
    }

    fn to_value(self) -> f64 {
        self
    }

    fn from_f64(value: f64) -> Self {
        value
    }
}

/// The value as a factor: of tf32 the nearest number of 11 significant bits. Infinities and NaN stay.
fn round(value: f32, factors: Factors) -> f32 {
    /// Bits of a binary32 that tf32 lacks.
    const DROPPED: u32 = 13;
    const HALF: u32 = 1 << (DROPPED - 1);
    let bits = value.to_bits();
    let up = match factors {
        _ if !value.is_finite() => return value,
        Factors::Exact | Factors::F16x3 | Factors::Bf16x6 => return value,
        Factors::Tf32TiesAway => HALF,
        // The lowest bit that is kept decides ties.
        Factors::Tf32TiesEven => HALF - 1 + (bits >> DROPPED & 1),
    };
    // A carry goes into the exponent, which rounds the largest values to infinity.
    f32::from_bits((bits + up) >> DROPPED << DROPPED)
}

macro_rules! integers {
    ($($ty:ident = $element:ident;)+) => {
        $(impl sealed::Sealed for $ty {}

        impl Element for $ty {
            const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::$element;

            type Value = i32;

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn to_value(self) -> i32 {
                self.into()
            }

            fn from_f64(value: f64) -> Self {
                // The cast saturates and maps NaN to 0.
                value.round_ties_even() as $ty
            }
        })+
    };
}

integers! {
    i8 = I8;
    u8 = U8;
    i32 = I32;
}

macro_rules! pairs {
    ($($ty:ident = $element:ident;)+) => {
        $(impl sealed::Sealed for $ty {}

        /// As a value it is the number of its bits, for which no body asks.
        impl Element for $ty {
            const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::$element;

            type Value = i32;

            fn to_f64(self) -> f64 {
                self.to_bits().into()
            }

            fn to_value(self) -> i32 {
                self.to_bits().into()
            }

            fn number(self, at: usize, _: Factors) -> i32 {
                self.numbers()[at].into()
            }

            fn from_f64(value: f64) -> Self {
                $ty::from_bits(value as u8)
            }
        })+
    };
}

pairs! {
    i4x2 = I4x2;
    u4x2 = U4x2;
}

macro_rules! packed {
    ($($ty:ident = $element:ident;)+) => {
        $(impl sealed::Sealed for $ty {}

        /// As a value it is its first number, for which no body asks.
        impl Element for $ty {
            const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::$element;

            type Value = i32;

            fn to_f64(self) -> f64 {
                self.number(0).into()
            }

            fn to_value(self) -> i32 {
                self.number(0)
            }

            fn number(self, at: usize, _: Factors) -> i32 {
                $ty::number(self, at)
            }

            fn from_f64(value: f64) -> Self {
                $ty::from_bytes([value as u8; 16])
            }
        })+
    };
}

packed! {
    i4x32 = I4x32;
    u4x32 = U4x32;
    i8x16 = I8x16;
    u8x16 = U8x16;
}

#[cfg(test)]
mod tests;
