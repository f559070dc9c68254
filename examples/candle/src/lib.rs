//! Layers of candle whose kernels are `#[gemm]` functions: [`LinearGelu`], [`Linear`] with its
//! gradients, [`swiglu`] and [`Int8Linear`].
//!
//! Each is an operation of candle's. On the CPU it runs the function's `reference`, on a GPU its
//! kernel, on candle's stream and storage, without a copy. [`gemm_candle`] converts between tensors
//! and matrices.

mod comparison;
mod int8;
mod linear;
mod linear_gelu;
mod swiglu;

pub use comparison::{Layer, layers, relative_error};
pub use int8::Int8Linear;
pub use linear::Linear;
pub use linear_gelu::LinearGelu;
pub use swiglu::{Gate, TimesLinear, swiglu};
