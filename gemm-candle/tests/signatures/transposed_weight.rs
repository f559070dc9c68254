//! The weight is transposed: of a square one, the operation would compute x · wᵀ for x · w.

use gemm_runtime::prelude::*;

#[gemm]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

gemm_candle::custom_op! {
    struct Transposed;

    fn linear(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N>;
}

fn main() {}
