//! Schedules whose sums would depend on the place of a tile, and two that sum in different orders.

use gemm_runtime::prelude::*;

#[gemm(
    invariant,
    tile = [128, 256, 64],
    mma = wgmma,
    schedule = cooperative,
    k_order = serpentine
)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(invariant, tile = [64, 64, 32], split_k = tail(4))]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(invariant, tile = [128, 128, 32])]
#[gemm(tile = [64, 64, 32])]
#[gemm(tile = [64, 64, 32], split_k = 4)]
fn h(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32])]
#[gemm(invariant, tile = [64, 64, 32])]
fn i(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(invariant = true)]
fn j(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(invariant, tile = [64, 64, 32], split_k = 4)]
fn legal(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
