//! The types in the signature of an annotated function.
//!
//! They name operands for `#[gemm]`, which replaces them: no value of them exists. What a caller
//! passes is a [`Matrix`](crate::Matrix), a [`MatrixRef`](crate::MatrixRef), a
//! [`DeviceVector`](crate::DeviceVector) or a [`VectorRef`](crate::VectorRef).

use std::convert::Infallible;
use std::marker::PhantomData;

/// A matrix of `T`, stored row by row: rows run over the index `I`, columns over `J`, and `J` is
/// contiguous in memory.
///
/// `I` and `J` are free names: the index that both arguments of `matmul` share is contracted. A
/// parameter `&mut Mat<T, I, J>` is written in place of a matrix that is returned.
pub struct Mat<T, I, J>(Infallible, PhantomData<(T, I, J)>);

/// A vector of `T` along the index `I` of the output, broadcast over the other one.
pub struct Vector<T, I>(Infallible, PhantomData<(T, I)>);
