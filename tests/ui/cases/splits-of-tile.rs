//! More blocks to a tile than add up their sums.

use gemm_runtime::prelude::*;

#[gemm(split_k = 1000)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(split_k = tail(257))]
fn the_tail(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
