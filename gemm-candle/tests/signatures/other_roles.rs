//! The vector runs along the rows, the output is transposed, two operands are swapped.

use gemm_runtime::prelude::*;

#[gemm]
fn scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>, scale: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) * scale
}

gemm_candle::custom_op! {
    struct AlongRows;

    fn scaled(x: Mat<f16, T, D>, w: Mat<f16, H, D>, scale: Vector<f16, T>) -> Mat<f16, T, H>;
}

gemm_candle::custom_op! {
    struct TransposedOutput;

    fn scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>, scale: Vector<f16, N>) -> Mat<f16, N, M>;
}

gemm_candle::custom_op! {
    struct Swapped;

    fn scaled(w: Mat<f16, M, K>, x: Mat<f16, N, K>, scale: Vector<f16, N>) -> Mat<f16, M, N>;
}

fn main() {}
