//! Blocks of warpgroups that would share a tile.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, split_k = 2)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
