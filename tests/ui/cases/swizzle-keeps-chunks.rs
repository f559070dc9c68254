//! A swizzle that splits 16 bytes.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 32], swizzle = [2, 2, 3])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// The swizzle that suits these tiles may not suit those that replace them.
#[gemm(tile = [128, 128, 32], warps = [3, 2], stages = 3, swizzle = [3, 2, 3])]
fn of_wrong_warps(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [100, 128, 32], swizzle = [3, 2, 3])]
fn of_a_wrong_tile(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
