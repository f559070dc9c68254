//! Register tiles that leave a thread no registers.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 16], mma = fma(16, 16))]
fn square(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 320, 16], warps = [4, 1], mma = fma(8, 40))]
fn wide(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 208, 16], warps = [2, 2], mma = fma(8, 13))]
fn double(x: Mat<f64, M, K>, w: Mat<f64, N, K>) -> Mat<f64, M, N> {
    matmul(x, w)
}

fn main() {}
