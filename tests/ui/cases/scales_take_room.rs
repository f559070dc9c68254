//! What sums before they are scaled and scales in the stages take is named; it is not the promotion's, which can be left out.

use gemm_runtime::prelude::*;

#[gemm(tile = [256, 128, 64], warps = [4, 2], mma = m16n8k16, copy = cp_async(16, cg))]
fn registers(
    x: Mat<bf16, M, K>,
    w: Mat<u4x32, N, K>,
    s: Tiled<f32, N, K, 1, 64>,
) -> Mat<bf16, M, N> {
    matmul(x, w * s)
}

#[gemm(tile = [64, 64, 512], warps = [2, 2], mma = m16n8k16, copy = cp_async(16, cg), stages = 4)]
fn stages(
    x: Mat<bf16, M, K>,
    w: Mat<u4x32, N, K>,
    s: Tiled<f32, N, K, 1, 32>,
    c: Tiled<f32, N, K, 1, 32>,
) -> Mat<bf16, M, N> {
    matmul(x, w * s + c)
}

fn main() {}
