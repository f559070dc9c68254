//! Types of values in place of those of a signature, and a misspelt output.

use gemm_runtime::prelude::*;

#[gemm]
fn of_the_runtime(x: Matrix<f16, M, K>, w: Mat<f16, N, K>, b: Vec<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) + b
}

#[gemm]
fn misspelt(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Matt<f16, M, N> {
    matmul(x, w)
}

fn main() {}
