//! A row that is no whole number of copies.

use gemm_runtime::prelude::*;

#[gemm(tile = [64, 36, 24], mma = m16n8k8, copy = cp_async(16, cg), swizzle = [0, 3, 3])]
fn rows(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy = cp_async(4, ca))]
fn doubles(x: Mat<f64, M, K>, w: Mat<f64, K, N>) -> Mat<f64, M, N> {
    matmul(x, w)
}

fn main() {}
