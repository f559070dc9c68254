//! Blocks of warps that would walk over tiles.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], schedule = cooperative)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, schedule = persistent)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
