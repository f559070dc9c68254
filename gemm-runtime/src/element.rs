//! [`Element`]: the Rust types of what a matrix holds.

use std::fmt;

use half::{bf16, f16};

use crate::value::Value;

mod sealed {
    pub trait Sealed {}
    impl Sealed for half::f16 {}
    impl Sealed for half::bf16 {}
    impl Sealed for f32 {}
    impl Sealed for i8 {}
    impl Sealed for u8 {}
    impl Sealed for i32 {}
}

/// A type a matrix or vector in device memory can hold: `f16`, `bf16`, `f32`, `i8`, `u8` or
/// `i32`.
///
/// Sealed: each of them has a code path in the emitted kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of a matrix",
    label = "expected `f16`, `bf16`, `f32`, `i8`, `u8` or `i32`"
)]
pub trait Element:
    sealed::Sealed + bytemuck::Pod + Default + PartialEq + fmt::Debug + Send + Sync + 'static
{
    /// The same type as the code generator calls it.
    const ELEMENT: gemm_codegen::Element;

    /// The type of an element inside a body.
    type Value: Value;

    /// The value as an f64; exact.
    fn to_f64(self) -> f64;

    /// The value inside a body; exact.
    fn to_value(self) -> Self::Value;

    /// The nearest value, ties to even. Integers saturate, and NaN is 0 to them.
    fn from_f64(value: f64) -> Self;
}

macro_rules! floats {
    ($($ty:ident = $element:ident;)+) => {
        $(impl Element for $ty {
            const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::$element;

            type Value = f32;

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn to_value(self) -> f32 {
                self.into()
            }

            fn from_f64(value: f64) -> Self {
                floats!(@from $ty value)
            }
        })+
    };
    (@from f32 $value:ident) => { $value as f32 };
    (@from $ty:ident $value:ident) => { $ty::from_f64($value) };
}

floats! {
    f16 = F16;
    bf16 = Bf16;
    f32 = F32;
}

macro_rules! integers {
    ($($ty:ident = $element:ident;)+) => {
        $(impl Element for $ty {
            const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::$element;

            type Value = i32;

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn to_value(self) -> i32 {
                self.into()
            }

            fn from_f64(value: f64) -> Self {
                // The cast saturates, and takes NaN to 0.
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
