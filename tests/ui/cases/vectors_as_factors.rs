//! A factor is a matrix, if only of one row.

use gemm_runtime::prelude::*;

#[gemm]
fn by_a_matrix(x: Vector<f16, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn of_a_batch(w: Batched<f16, B, N, K>, x: Batched<f16, B, K>) -> Batched<f16, B, N, M> {
    matmul(w, x)
}

#[gemm]
fn of_the_epilogue(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, bias)
}

fn main() {}
