//! Accumulators that no thread can hold.

use gemm_runtime::prelude::*;

#[gemm(tile = [256, 256, 32], warps = [2, 2])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
