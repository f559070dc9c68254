//! A result is needed, and it is a matrix.

use gemm_runtime::prelude::*;

#[gemm]
fn nothing(x: Mat<f16, M, K>, w: Mat<f16, N, K>) {
    matmul(x, w)
}

#[gemm]
fn a_vector(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f16, N> {
    matmul(x, w)
}

fn main() {}
