//! Three warps along an extent of 128.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 32], warps = [3, 2])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Along K.
#[gemm(tile = [16, 64, 128], warps = [1, 1, 3])]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
