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

#[gemm]
fn masked(x: Mat<f16, M, K>, w: Mat<f16, N, K>, mask: Mat<bool, M, N>) -> Mat<f16, M, N> {
    if mask { matmul(x, w) } else { 0.0 }
}

fn main() {}
