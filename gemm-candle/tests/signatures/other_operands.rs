//! Operands that an operation cannot have: a scalar, an output in place, two outputs.

use gemm_runtime::prelude::*;

#[gemm]
fn scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f32) -> Mat<f16, M, N> {
    matmul(x, w) * alpha
}

gemm_candle::custom_op! {
    struct WithoutScalar;

    fn scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N>;
}

#[gemm]
fn in_place(x: Mat<f16, M, K>, w: Mat<f16, N, K>, h: &mut Mat<f16, M, N>) {
    *h += matmul(x, w);
}

gemm_candle::custom_op! {
    struct InPlace;

    fn in_place(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N>;
}

fn main() {}
