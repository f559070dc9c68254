//! The order of an operand is that of its type.

use gemm_runtime::prelude::*;

#[gemm]
fn method(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w.t())
}

#[gemm]
fn function(x: Batched<f16, B, M, K>, w: Batched<f16, B, N, K>) -> Batched<f16, B, M, N> {
    matmul(transpose(x, 0, 1), w.transpose())
}

#[gemm]
fn residual(x: Mat<f16, M, K>, w: Mat<f16, N, K>, c: Mat<f16, M, N>) -> Mat<f16, M, N> {
    matmul(x, w) + c.t()
}

#[gemm]
fn product_of_both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let z = matmul(x, w);
    z.t()
}

fn main() {}
