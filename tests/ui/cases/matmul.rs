//! No product, and factors that are no matrices.

use gemm_runtime::prelude::*;

#[gemm]
fn none(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    x + w
}

#[gemm]
fn of_three(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w, w)
}

#[gemm]
fn of_a_value(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w + 1.0)
}

#[gemm]
fn with_a_flag(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w, true)
}

fn main() {}
