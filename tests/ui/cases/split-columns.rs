//! Columns of a warpgroup that the blocks of a cluster cannot share.

use gemm_runtime::prelude::*;

#[gemm(tile = [64, 40, 64], mma = wgmma, split_k = 2)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 96, 64], warpgroups = [1, 2], mma = wgmma, split_k = 4)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
