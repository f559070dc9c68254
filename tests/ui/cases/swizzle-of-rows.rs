//! A swizzle of rows for a tile that its copies transpose.

use gemm_runtime::prelude::*;

#[gemm(mma = fma(8, 8), swizzle(a = [0, 2, 2], b = [2, 2, 4]))]
fn f(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

fn main() {}
