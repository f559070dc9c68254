//! Accumulators that no thread can hold.

use gemm_runtime::prelude::*;

#[gemm(tile = [256, 256, 32], warps = [2, 2])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 16], warps = [1, 2], mma = fma(8, 8))]
fn g(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 8], warps = [2, 2])]
fn h(x: Mat<f64, M, K>, w: Mat<f64, N, K>) -> Mat<f64, M, N> {
    matmul(x, w)
}

/// What ptxas compiles for three warpgroups and a fourth.
#[gemm(tile = [192, 208, 64], warpgroups = [3, 1], mma = wgmma)]
fn i(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// As many threads as have registers for no more warps.
#[gemm(tile = [256, 256, 64], warps = [4, 4], stages = 2, targets = [sm_80])]
fn j(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [256, 256, 64], warps = [4, 8], stages = 2, targets = [sm_80])]
fn k(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
