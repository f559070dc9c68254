//! A swizzle that is larger than the tile.

use gemm_runtime::prelude::*;

#[gemm(tile = [48, 64, 32], warps = [1, 2], swizzle(a = [3, 3, 6]))]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
