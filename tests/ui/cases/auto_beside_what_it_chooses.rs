//! Keys that `auto` chooses, given beside it, and a form that it does not have.

use gemm_runtime::prelude::*;

#[gemm(auto, tile = [64, 64, 32], stages = 3)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(auto = 3)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
