//! A matrix and a vector that do not lie along the output.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, c: Mat<f16, M, K>, bias: Vector<f16, K>) -> Mat<f16, M, N> {
    matmul(x, w) + c + bias
}

#[gemm]
fn lower_case(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, n>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

fn main() {}
