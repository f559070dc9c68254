//! An operation of the name alone has another number of tensors than the function.

use gemm_runtime::prelude::*;

#[gemm]
fn swiglu(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

gemm_candle::custom_op! {
    struct Swiglu: CustomOp2 = swiglu;
}

fn main() {}
