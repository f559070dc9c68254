//! [`TensorElement`]: elements of matrices that candle's tensors can hold.

use candle_core::{DType, WithDType};
use gemm_runtime::__private::codegen;
use gemm_runtime::{Element, bf16, f16};

/// An element type of candle's that has a dtype.
#[cfg(not(feature = "cuda"))]
pub trait Stored: WithDType + bytemuck::Pod {}

/// An element type of candle's that has a dtype on the CPU and on GPUs.
#[cfg(feature = "cuda")]
pub trait Stored:
    WithDType
    + bytemuck::Pod
    + candle_core::cuda_backend::CudaDType
    + candle_core::cuda_backend::cudarc::driver::DeviceRepr
{
}

/// An [`Element`] that a tensor of candle's can hold: `f16`, `bf16`, `f32`, `f64`, `u8`, `i32`, and
/// `i8` as the bits of a `u8`.
#[diagnostic::on_unimplemented(
    message = "a tensor of candle's has no elements of `{Self}`",
    label = "expected `f16`, `bf16`, `f32`, `f64`, `u8`, `i8` or `i32`"
)]
pub trait TensorElement: Element {
    /// What candle stores: of the same size.
    type Stored: Stored;
}

macro_rules! elements {
    ($($element:ident in $stored:ident),+) => { $(
        impl TensorElement for $element {
            type Stored = $stored;
        }

        const _: () = assert!(size_of::<$element>() == size_of::<$stored>());
    )+ };
}

macro_rules! stored {
    ($($stored:ident),+) => { $(impl Stored for $stored {})+ };
}

stored!(f16, bf16, f32, f64, u8, i32);
elements!(f16 in f16, bf16 in bf16, f32 in f32, f64 in f64, u8 in u8, i8 in u8, i32 in i32);

/// The dtype of tensors with elements of this type, if there is one.
pub(crate) fn dtype_of(element: codegen::Element) -> Option<DType> {
    use codegen::Element as E;
    Some(match element {
        E::F16 => DType::F16,
        E::Bf16 => DType::BF16,
        E::F32 => DType::F32,
        E::F64 => DType::F64,
        E::I8 | E::U8 => DType::U8,
        E::I32 => DType::I32,
        _ => return None,
    })
}

/// An expression in which `$T` is the [`TensorElement`] of an element that is known at run time only.
macro_rules! with_stored {
    ($element:expr, $T:ident => $value:expr) => {
        $crate::element::with_stored!(@of $element, $T => $value;
            F16 = gemm_runtime::f16, Bf16 = gemm_runtime::bf16, F32 = f32, F64 = f64, I8 = i8, U8 = u8, I32 = i32)
    };
    (@of $element:expr, $T:ident => $value:expr; $($variant:ident = $of:ty),+) => {
        match $element {
            $(Some(gemm_runtime::__private::codegen::Element::$variant) => {
                type $T = $of;
                $value
            })+
            element => Err($crate::element::not_stored(element)),
        }
    };
}
pub(crate) use with_stored;

/// The error of an output whose elements candle lacks.
pub(crate) fn not_stored(element: Option<codegen::Element>) -> candle_core::Error {
    let element = element.map_or("a scalar", codegen::Element::name);
    candle_core::Error::Msg(format!("a tensor of candle's has no elements of {element}")).bt()
}
