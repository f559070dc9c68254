//! A cluster of three blocks, and one of more than eight.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, cluster = [3, 1])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, cluster = [4, 4])]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
