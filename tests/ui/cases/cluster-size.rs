//! Clusters of more blocks than two.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, cluster = [2, 2])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, cluster = [1, 4])]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
