//! Warp tiles that are no multiple of the instruction.

use gemm_runtime::prelude::*;

#[gemm(tile = [72, 100, 32], warps = [1, 1], mma = m16n8k16)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
