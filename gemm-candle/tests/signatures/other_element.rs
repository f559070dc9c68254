//! The elements of the output are of another type, which the CPU would round to.

use gemm_runtime::prelude::*;

#[gemm]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

gemm_candle::custom_op! {
    struct Other;

    fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N>;
}

#[gemm(T = [f16, bf16])]
fn generic<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

gemm_candle::custom_op! {
    struct OfTypeParameter;

    fn generic(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<bf16, M, N>;
}

fn main() {}
