//! Clusters that share a tile and would do more.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, split_k = 2, schedule = cooperative)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, split_k = 2, cluster = [2, 1])]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
