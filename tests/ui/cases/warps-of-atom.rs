//! Warps of an atom that warpgroups execute, and the other way round.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], warps = [2, 1], mma = wgmma)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], warpgroups = [2, 1])]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
