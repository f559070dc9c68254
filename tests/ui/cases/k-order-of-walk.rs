//! Blocks of one tile that would sum every second one backwards.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 256, 64], mma = wgmma, k_order = serpentine)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 256, 64], mma = wgmma, schedule = cooperative, k_order = zigzag)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
