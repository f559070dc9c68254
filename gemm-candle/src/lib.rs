//! Tensors of [candle](https://docs.rs/candle-core) as operands and outputs of `#[gemm]` functions.
//!
//! [`custom_op!`] makes an operation of a `#[gemm]` function, such as a
//! [`CustomOp3`](candle_core::CustomOp3), of its name:
//!
//! ```
//! use candle_core::{DType, Tensor};
//! use gemm_runtime::prelude::*;
//!
//! /// y = gelu(x · wᵀ + bias)
//! #[gemm(T = [f16, f32])]
//! fn linear_gelu<T>(x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<T, N>) -> Mat<T, M, N> {
//!     gelu(matmul(x, w) + bias)
//! }
//!
//! gemm_candle::custom_op! {
//!     struct LinearGelu: CustomOp3 = linear_gelu;
//! }
//!
//! let x = Tensor::ones((2, 3, 8), DType::F16, &candle_core::Device::Cpu)?;
//! let w = Tensor::ones((4, 8), DType::F16, &candle_core::Device::Cpu)?;
//! let bias = Tensor::zeros(4, DType::F16, &candle_core::Device::Cpu)?;
//! let y = x.apply_op3(&w, &bias, LinearGelu)?;
//! assert_eq!(y.dims(), [2, 3, 4]);
//! assert_eq!(y.flatten_all()?.to_vec1::<f16>()?[0], f16::from_f32(8.0));
//! # Ok::<(), candle_core::Error>(())
//! ```
//!
//! [`Operation`] is one of any number of tensors and scalars, and of several outputs. [`Linear`] stands in for candle_nn's
//! layer.
//!
//! An operation in place, which neither can declare, compares its tensors by [`extents()`]
//! and reads them by [`cpu`] and `cuda`: inside an operation a tensor is a storage and a [`Layout`], which these modules read as
//! matrices, on a GPU without a copy. [`split_rows()`] makes the planes of a weight once, for an operation with
//! `precision = f16x3`.
//!
//! [`QuantizedLinear`] is a layer of the weights of quantised models, which [`quantized`] reads.
//!
//! # What is read
//!
//! A tensor is read as a matrix: its last dimension has the columns, all others are the rows. So
//! `[batch, tokens, features]` has `batch · tokens` rows. The last dimension must be contiguous, the
//! rows evenly spaced without overlap. A part of another tensor (`narrow`) can be read, and a tensor
//! may start anywhere in its storage. For any other tensor, such as a transposed one,
//! [`Error::NotRows`] says what to do.
//!
//! Tensors with the same index along their rows have the same leading dimensions, those of 1 left out:
//! with `x` of `[2, 5, k]`, a residual is `[2, 5, n]`, not `[5, 2, n]`. A vector along these rows is
//! `[2, 5]` or `[10]`, without gaps; else it is an [`Error::VectorDimensions`]. An index that is also that of
//! columns has one dimension: a weight over N and K is `[n, k]`. A tensor that differs is an
//! [`Error::LeadingDimensions`], or, where the extents differ too, the error of a launch inside
//! [`Error::Gemm`]. [`extents()`] compares them, for [`custom_op!`] and for operations written by hand, on
//! the CPU and on a GPU alike.
//!
//! [`Operation`] and [`custom_op!`] of a function's name also read a `Batched`: its tensor has a dimension for each index, those
//! of the batch first. The last dimension is contiguous and rows do not overlap; matrices may lie anywhere.
//!
//! | candle's dtype | element |
//! | --- | --- |
//! | `F16`, `BF16`, `F32`, `F64` | `f16`, `bf16`, `f32`, `f64` |
//! | `U8` | `u8`, or `i8`, which candle lacks: the bits of an `i8` |
//! | `I32` | `i32`, as an output or in a body |
//!
//! # On a GPU
//!
//! With the feature `cuda`, the module `cuda` has the functions of [`cpu`] for tensors on a GPU.
//! Kernels run on candle's stream and read its storage. candle compiles its own kernels when it is
//! built, which needs `nvcc`: `examples/candle` of the repository gets it from pip. `#[gemm]` compiles
//! at run time, which needs libnvrtc.
//!
//! On the CPU an operation runs `reference`, which is exact but slow: for tests and small layers.

mod batch;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod element;
mod error;
mod extents;
mod linear;
mod op;
mod op_by_name;
mod operation;
pub mod quantized;
mod rows;
mod signature;
mod split;
mod unfit;

use candle_core::{Layout, Shape};

pub use element::{Stored, TensorElement};
pub use error::Error;
pub use extents::extents;
pub use linear::{Linear, linear, linear_b, linear_no_bias};
pub use operation::{Operand, Operation};
pub use quantized::QuantizedLinear;
pub use split::split_rows;

/// Names used by the expansion of [`custom_op!`]; not public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::extents::shapes;
    pub use crate::operation::on_cpu;
    #[cfg(feature = "cuda")]
    pub use crate::operation::on_cuda;
    pub use crate::signature::{Message, Written, difference, joined, length};
    pub use crate::unfit::unfit;
    pub use candle_core;
    pub use gemm_runtime::Element;
}

/// The shape of `input` with `columns` elements along its last dimension: that of a layer's output.
pub fn output_shape(input: &Layout, columns: usize) -> Shape {
    let mut dims = input.dims().to_vec();
    match dims.last_mut() {
        Some(last) => *last = columns,
        None => dims.push(columns),
    }
    dims.into()
}

/// The programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
