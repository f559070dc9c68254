//! [`Element`]: the Rust types of what a matrix holds.

use std::fmt;

use half::{bf16, f16};

mod sealed {
    pub trait Sealed {}
    impl Sealed for half::f16 {}
    impl Sealed for half::bf16 {}
    impl Sealed for f32 {}
}

/// A type a matrix or vector in device memory can hold: `f16`, `bf16` or `f32`.
///
/// Sealed: each of them has a code path in the emitted kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of a matrix",
    label = "expected `f16`, `bf16` or `f32`"
)]
pub trait Element:
    sealed::Sealed + bytemuck::Pod + Default + PartialEq + fmt::Debug + Send + Sync + 'static
{
    /// The same type as the code generator calls it.
    const ELEMENT: gemm_codegen::Element;

    /// The value as an f64; exact.
    fn to_f64(self) -> f64;

    /// The value as an f32; exact.
    fn to_f32(self) -> f32;

    /// The nearest value, ties to even.
    fn from_f32(value: f32) -> Self;
}

impl Element for f16 {
    const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::F16;

    fn to_f64(self) -> f64 {
        f16::to_f64(self)
    }

    fn to_f32(self) -> f32 {
        f16::to_f32(self)
    }

    fn from_f32(value: f32) -> Self {
        f16::from_f32(value)
    }
}

impl Element for bf16 {
    const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::Bf16;

    fn to_f64(self) -> f64 {
        bf16::to_f64(self)
    }

    fn to_f32(self) -> f32 {
        bf16::to_f32(self)
    }

    fn from_f32(value: f32) -> Self {
        bf16::from_f32(value)
    }
}

impl Element for f32 {
    const ELEMENT: gemm_codegen::Element = gemm_codegen::Element::F32;

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn to_f32(self) -> f32 {
        self
    }

    fn from_f32(value: f32) -> Self {
        value
    }
}
