//! Blocks of warps that would form a cluster.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], cluster = [2, 1])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
