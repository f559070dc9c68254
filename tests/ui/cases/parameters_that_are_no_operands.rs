//! Each with what is possible.

use gemm_runtime::prelude::*;

#[gemm]
fn f(&x: &Mat<f16, M, K>, w: Mat<i64, 128, K>, bias: Vector<f16>, alpha: i64, mut beta: f32) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn sparse(x: Tensor<f16, M, K>, w: Csr<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
