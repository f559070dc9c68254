//! Of a function with an error, the operation has none of its own.

use gemm_runtime::prelude::*;

#[gemm]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, L>) -> Mat<f16, M, N> {
    matmul(x, w)
}

gemm_candle::custom_op! {
    struct Linear;

    fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, L>) -> Mat<f16, M, N>;
}

fn main() {}
