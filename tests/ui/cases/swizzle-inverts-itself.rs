//! A swizzle whose bits overlap.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], swizzle = [3, 3, 2])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
