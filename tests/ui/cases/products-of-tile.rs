//! Warps that have no whole parts of several products.

use gemm_runtime::prelude::*;

/// 16 columns of a warp: a band of 8 for each product.
#[gemm(tile = [64, 32, 32], warps = [2, 2])]
fn legal(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

#[gemm(tile = [64, 48, 32], warps = [2, 2])]
fn half_a_band(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

#[gemm(tile = [128, 128, 64], mma = wgmma)]
fn of_three(
    x: Mat<f16, M, K>,
    p: Mat<f16, N, K>,
    q: Mat<f16, N, K>,
    r: Mat<f16, N, K>,
) -> Mat<f16, M, N> {
    matmul(x, p) + matmul(x, q) * matmul(x, r)
}

#[gemm(tile = [64, 64, 64], mma = wgmma)]
fn half_a_panel(x: Mat<f16, M, K>, gate: Mat<f16, K, N>, up: Mat<f16, K, N>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

#[gemm(tile = [64, 128, 64], mma = wgmma, split_k = 2)]
fn split_in_a_cluster(
    x: Mat<f16, M, K>,
    gate: Mat<f16, N, K>,
    up: Mat<f16, N, K>,
) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

fn main() {}
