//! [`TensorElement`]: elements of matrices that candle's tensors can hold.

use candle_core::WithDType;
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
