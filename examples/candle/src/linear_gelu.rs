//! A layer in one kernel: product, bias and activation.

use gemm_runtime::prelude::*;

/// y = gelu(x · wᵀ + bias)
#[gemm]
pub fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

gemm_candle::custom_op! {
    /// `gelu(x · wᵀ + bias)` of `x: [.., k]`, `w: [n, k]` and `bias: [n]`, in F16.
    #[derive(Clone, Copy, Debug)]
    pub struct LinearGelu: CustomOp3 = linear_gelu;
}
