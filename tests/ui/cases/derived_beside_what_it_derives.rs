//! Keys that `derived` derives, given beside it, the key that is its opposite, and a form that it does not
//! have.

use gemm_runtime::prelude::*;

#[gemm(derived, tile = [64, 64, 32])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(auto, derived)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(derived = true)]
fn h(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
