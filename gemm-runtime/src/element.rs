//! [`Element`]: the Rust types of matrix elements.

use std::fmt;

use gemm_codegen::Factors;
use half::{bf16, f16};

use crate::float8::{e4m3, e5m2};
use crate::value::Value;

mod sealed {
    pub trait Sealed {}
}

/// A type a matrix or vector in device memory can hold: `f16`, `bf16`, `f32`, `f64`, `i8`, `u8`,
/// `i32`, `e4m3` or `e5m2`.
///
/// Sealed: each of them has a code path in the emitted kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of a matrix",
    label = "expected `f16`, `bf16`, `f32`, `f64`, `i8`, `u8`, `i32`, `e4m3` or `e5m2`"
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
            E4m3 = $crate::e4m3, E5m2 = $crate::e5m2)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_of_f32_have_eleven_bits_on_tensor_cores() {
        let unit = 2f32.powi(-10);
        for (value, rounded) in [
            (1.0, 1.0),
            (1.0 + unit / 2.0, 1.0 + unit),
            (-1.0 - unit / 2.0, -1.0 - unit),
            (1.0 + unit * 0.499, 1.0),
            (2.0 - unit / 4.0, 2.0),
            (f32::MAX, f32::INFINITY),
            (f32::NEG_INFINITY, f32::NEG_INFINITY),
            (0.0, 0.0),
        ] {
            assert_eq!(value.to_factor(Factors::Tf32TiesAway), rounded, "{value}");
            assert_eq!(value.to_factor(Factors::Exact), value);
        }
        for factors in [Factors::Tf32TiesAway, Factors::Tf32TiesEven] {
            assert!(f32::NAN.to_factor(factors).is_nan());
            assert_eq!(f16::ONE.to_factor(factors), 1.0);
        }
    }

    #[test]
    fn numbers_next_to_a_tie_are_rounded_to_the_nearest() {
        for sign in [1.0, -1.0] {
            for (above, below) in [(1e-9, -1e-9), (1e-15, -1e-15)] {
                let tie = sign * (1.0 + 2f64.powi(-8));
                assert_eq!(<bf16 as Element>::from_f64(tie), bf16::from_f64(sign));
                let expected = [sign * (1.0 + 2f64.powi(-7)), sign];
                let found = [above, below].map(|by| <bf16 as Element>::from_f64(tie + sign * by));
                assert_eq!(found.map(Element::to_f64), expected);
                let tie = sign * (1.0 + 2f64.powi(-11));
                let expected = [sign * (1.0 + 2f64.powi(-10)), sign];
                let found = [above, below].map(|by| <f16 as Element>::from_f64(tie + sign * by));
                assert_eq!(found.map(Element::to_f64), expected);
            }
        }
        assert_eq!(<bf16 as Element>::from_f64(f64::MAX), bf16::INFINITY);
        assert_eq!(<bf16 as Element>::from_f64(1e-300), bf16::ZERO);
        assert!(<f16 as Element>::from_f64(f64::NAN).is_nan());
    }

    #[test]
    fn factors_that_the_copy_unit_rounds_have_ties_to_even() {
        for (value, rounded) in [
            (0x3f80_1000, 0x3f80_0000), // 1 + 2^-11
            (0xbf80_1000, 0xbf80_0000),
            (0x3f80_3000, 0x3f80_4000), // 1 + 3 * 2^-11
            (0x3f80_1001, 0x3f80_2000),
            (0x3f80_2fff, 0x3f80_2000),
            (0x3fff_f000, 0x4000_0000), // into the exponent
            (0x0000_1000, 0x0000_0000), // subnormal
            (0x8000_1000, 0x8000_0000),
            (0x0000_3000, 0x0000_4000),
            (0x007f_f000, 0x0080_0000), // to the smallest normal number
            (0x7f7f_efff, 0x7f7f_e000), // the largest
            (0x7f7f_f000, 0x7f80_0000),
            (0xff7f_ffff, 0xff80_0000),
            (0xff80_0000, 0xff80_0000),
        ] {
            let got = f32::from_bits(value).to_factor(Factors::Tf32TiesEven).to_bits();
            assert_eq!(got, rounded, "{value:#010x}");
        }
    }

    #[test]
    fn both_roundings_of_factors_differ_in_ties_alone() {
        for bits in (0..=u32::MAX).step_by(0x0fff) {
            let value = f32::from_bits(bits);
            let [away, even] =
                [Factors::Tf32TiesAway, Factors::Tf32TiesEven].map(|ties| value.to_factor(ties));
            let is_tie = bits & 0x1fff == 0x1000;
            assert!(away == even || value.is_nan() || is_tie, "{bits:#010x}");
        }
    }

    #[test]
    fn integers_are_rounded_to_even_and_saturate() {
        assert_eq!(
            [2.5, 3.5, -0.5, 1e9, -1e9, f64::NAN].map(i8::from_f64),
            [2, 4, 0, 127, -128, 0]
        );
        assert_eq!([255.5, -3.0, 254.5].map(u8::from_f64), [255, 0, 254]);
    }
}
