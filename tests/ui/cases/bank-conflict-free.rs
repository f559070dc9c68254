//! A tile without a swizzle.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 32], swizzle = [0, 3, 3])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
