//! The operations of a layer: for each a function of all dtypes.

use candle_core::{Result, Tensor};
use gemm_runtime::prelude::*;

use crate::custom_op;

/// y = x · weightᵀ + bias
#[gemm(T = [f16, bf16, f32])]
fn linear<T>(x: Mat<T, M, K>, weight: Mat<T, N, K>, bias: Vector<T, N>) -> Mat<T, M, N> {
    matmul(x, weight) + bias
}

/// y = x · weightᵀ
#[gemm(T = [f16, bf16, f32])]
fn linear_no_bias<T>(x: Mat<T, M, K>, weight: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, weight)
}

custom_op! {
    /// `x · weightᵀ + bias`.
    pub(super) struct Biased: CustomOp3 = linear;

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        _y: &Tensor,
        dy: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [dx, dw] = gradients(x, weight, dy)?;
        let db = rows(dy)?.sum(0)?.reshape(bias.shape())?;
        Ok((Some(dx), Some(dw), Some(db)))
    }
}

custom_op! {
    /// `x · weightᵀ`.
    pub(super) struct Unbiased: CustomOp2 = linear_no_bias;

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        _y: &Tensor,
        dy: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let [dx, dw] = gradients(x, weight, dy)?;
        Ok((Some(dx), Some(dw)))
    }
}

/// dx = dy · weight and dweight = dyᵀ · x.
fn gradients(x: &Tensor, weight: &Tensor, dy: &Tensor) -> Result<[Tensor; 2]> {
    let dy = rows(dy)?;
    let dx = dy.matmul(&rows(weight)?)?.reshape(x.shape())?;
    let dw = dy.t()?.matmul(&rows(x)?)?.reshape(weight.shape())?;
    Ok([dx, dw])
}

/// The tensor as one matrix, which has its last dimension as columns.
fn rows(tensor: &Tensor) -> Result<Tensor> {
    match tensor.rank() {
        0 | 1 => tensor.reshape((1, tensor.elem_count())),
        rank => tensor.flatten_to(rank - 2),
    }
}
