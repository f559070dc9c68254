//! SwiGLU: one launch of two products that share the tokens.

use gemm_runtime::prelude::*;

/// h = silu(x · gateᵀ) * (x · upᵀ)
#[gemm]
pub fn swiglu(x: Mat<bf16, M, K>, gate: Mat<bf16, N, K>, up: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

gemm_candle::custom_op! {
    /// `silu(x · gateᵀ) * (x · upᵀ)` of `x: [.., k]` and `gate, up: [n, k]`, in BF16.
    #[derive(Clone, Copy, Debug)]
    pub struct Swiglu: CustomOp3 = swiglu;
}
