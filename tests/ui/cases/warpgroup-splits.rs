//! Blocks of warpgroups that share a tile and cannot be a cluster.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, split_k = 3)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, split_k = tail(4))]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// More than blocks of warps may be, too.
#[gemm(mma = wgmma, split_k = 300)]
fn many(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
