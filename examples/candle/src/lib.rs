//! Layers of candle whose kernels are `#[gemm]` functions: [`LinearGelu`], [`Linear`] with its
//! gradients, [`LinearLayer`] with a choice of [`Precision`], [`Swiglu`], [`QuantizedSwiglu`] of weights in
//! `Q4_K`, [`AddLinear`] in place, [`Int8Linear`], and a [`Decoder`] block.
//!
//! Each but the block is an operation of candle's. On the CPU it runs the function's `reference`, on a GPU its
//! kernel, on candle's stream and storage, without a copy. [`gemm_candle`] converts between tensors
//! and matrices.

mod add_linear;
mod comparison;
mod decoder;
mod int8;
mod linear;
mod linear_gelu;
mod precision;
mod quantized_swiglu;
mod swiglu;

pub use add_linear::AddLinear;
pub use comparison::{Layer, layers, relative_error};
pub use decoder::Decoder;
pub use int8::Int8Linear;
pub use linear::Linear;
pub use linear_gelu::LinearGelu;
pub use precision::{LinearLayer, Precision, linear_f16x3};
pub use quantized_swiglu::QuantizedSwiglu;
pub use swiglu::Swiglu;
