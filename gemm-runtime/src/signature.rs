//! The types in the signature of an annotated function.
//!
//! They name operands for `#[gemm]`, which replaces them: no value of them exists. What a caller
//! passes is a [`Matrix`](crate::Matrix), a [`MatrixRef`](crate::MatrixRef), a
//! [`BatchedMatrix`](crate::BatchedMatrix), a [`BatchedRef`](crate::BatchedRef), a
//! [`DeviceVector`](crate::DeviceVector) or a [`VectorRef`](crate::VectorRef).

mod declared;

use std::convert::Infallible;
use std::marker::PhantomData;

pub use declared::{Declared, Signature};

/// A matrix of `T`, stored row by row: rows run over the index `I`, columns over `J`, and `J` is
/// contiguous in memory.
///
/// `I` and `J` are free names: the index that both arguments of `matmul` share is contracted. A
/// parameter `&mut Mat<T, I, J>` is written in place of a matrix that is returned.
pub struct Mat<T, I, J>(Infallible, PhantomData<(T, I, J)>);

/// A batch: for each value of the batch index `B` a matrix of `T`, or, without `J`, a vector. A tuple
/// `(B, H)` in place of `B` is a batch over several indices, each with its own stride.
///
/// Unbatched operands are broadcast over the batch. The output is a batch if a factor is one. The
/// layout of each matrix and vector is that of [`Mat`] and [`Vector`]; the stride along an index may
/// have any length.
pub struct Batched<T, B, I, J = ()>(Infallible, PhantomData<(T, B, I, J)>);

/// The scales of a factor: a `T` for each tile of `ROWS` × `COLUMNS` of a matrix of the indices `I` and `J`, stored row
/// by row. `matmul(x, w * s)` multiplies each element of `w` by the scale of its tile.
pub struct Tiled<T, I, J, const ROWS: usize, const COLUMNS: usize>(
    Infallible,
    PhantomData<(T, I, J)>,
);

/// A `T` in device memory, the same for the whole output: its value is read when the kernel runs, not
/// when it is launched, so that a captured graph computes with its current value.
pub struct Scalar<T>(Infallible, PhantomData<T>);

/// A vector of `T` along the index `I` of the output, broadcast over the other one.
pub struct Vector<T, I>(Infallible, PhantomData<(T, I)>);
