//! More threads than a block can have.

use gemm_runtime::prelude::*;

#[gemm(tile = [256, 256, 32], warps = [8, 8])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Along K.
#[gemm(tile = [16, 64, 512], warps = [1, 2, 32], mma = m16n8k16, stages = 2, targets = [sm_90])]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
