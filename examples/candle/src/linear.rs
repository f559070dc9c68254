//! A layer that can be trained: its gradients are two more products.

use candle_core::{Result, Tensor};
use gemm_runtime::prelude::*;

/// y = x · wᵀ + bias
#[gemm]
pub fn linear(x: Mat<f32, M, K>, w: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) + bias
}

/// dx = dy · w
#[gemm]
pub fn input_gradient(dy: Mat<f32, M, K>, w: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(dy, w)
}

/// dw = dyᵀ · x
#[gemm]
pub fn weight_gradient(dy: Mat<f32, K, M>, x: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(dy, x)
}

gemm_candle::custom_op! {
    /// `x · wᵀ + bias` of `x: [.., k]`, `w: [n, k]` and `bias: [n]`, in F32, with gradients of all.
    #[derive(Clone, Copy, Debug)]
    pub struct Linear: CustomOp3 = linear;

    fn bwd(
        &self,
        x: &Tensor,
        w: &Tensor,
        _bias: &Tensor,
        _y: &Tensor,
        dy: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        // What follows the layer decides how its gradient is stored; of rows this copies nothing.
        let dy = dy.contiguous()?;
        let dx = dy.apply_op2_no_bwd(w, &InputGradient)?;
        let dw = dy.apply_op2_no_bwd(x, &WeightGradient)?;
        let db = dy.flatten_to(dy.rank() - 2)?.sum(0)?;
        Ok((Some(dx), Some(dw), Some(db)))
    }
}

gemm_candle::custom_op! {
    /// `dy · w` of `dy: [.., n]` and `w: [n, k]`.
    struct InputGradient: CustomOp2 = input_gradient;
}

gemm_candle::custom_op! {
    /// `dyᵀ · x` of `dy: [.., n]` and `x: [.., k]`.
    struct WeightGradient: CustomOp2 = weight_gradient;
}
