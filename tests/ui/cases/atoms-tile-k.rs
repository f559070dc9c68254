//! A BLK_K that is no multiple of the instruction.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 40], mma = m16n8k16)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Enough of it, but not for each of eight warps.
#[gemm(tile = [16, 64, 64], warps = [1, 1, 8], mma = m16n8k16)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
