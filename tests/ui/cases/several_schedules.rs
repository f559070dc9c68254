//! Each schedule has its own mistakes, and all compute the same.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 32], stages = 900)]
#[gemm(tile = [100, 128, 64], mma = wgmma, targets = [sm_90a])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
#[gemm(stages = 3, T = [f16])]
fn g<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32])]
#[gemm(tile = [128, 128, 32], acc = f16)]
#[gemm(tile = [128, 128, 32])]
fn h(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
