//! Warpgroups that would take turns and share a tile.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, warpgroups = [2, 1], schedule = pingpong)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 256, 64], mma = wgmma, stages = 6, schedule = pingpong)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
