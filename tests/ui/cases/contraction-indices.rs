//! An index that is shared and returned, and a product with no shared index.

use gemm_runtime::prelude::*;

#[gemm]
fn shared_and_returned(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, K> {
    matmul(x, w)
}

#[gemm]
fn nothing_shared(x: Mat<f16, M, K>, w: Mat<f16, N, L>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn square(x: Mat<f16, T, D>, w: Mat<f16, D, D>) -> Mat<f16, T, D> {
    matmul(x, w)
}

fn main() {}
