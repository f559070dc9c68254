//! A batch, which an operation cannot have, is declared for what the operation reads as a matrix.

use gemm_runtime::prelude::*;

#[gemm]
fn linear(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f16, B, M, N> {
    matmul(x, w)
}

gemm_candle::custom_op! {
    struct Unbatched;

    fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N>;
}

fn main() {}
