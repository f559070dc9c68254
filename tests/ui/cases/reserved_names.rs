//! Names that the expansion needs are refused; all others are free.

use gemm_runtime::prelude::*;

#[gemm]
fn constants(SOURCE: Mat<f16, M, K>, None: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(SOURCE, None)
}

#[gemm]
fn f16(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn hidden(x: Mat<f16, M, K>, w: Mat<f16, N, K>, relu: f32) -> Mat<f16, M, N> {
    relu(matmul(x, w))
}

#[gemm]
fn body(body: Mat<f16, None, KERNEL>, into: Mat<f16, SOURCE, KERNEL>, relu: f32) -> Mat<f16, None, SOURCE> {
    silu(matmul(body, into)) * relu
}

fn main() {}
