//! A row that is no whole number of copies.

use gemm_runtime::prelude::*;

// One number, one error: the help of the first rule satisfies both.
#[gemm(tile = [64, 36, 24], mma = m16n8k8, copy = cp_async(16, cg), swizzle = [0, 3, 3])]
fn rows(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 40, 64], warps = [2, 1])]
fn bytes(x: Mat<i8, M, K>, w: Mat<i8, K, N>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm(copy = cp_async(4, ca))]
fn doubles(x: Mat<f64, M, K>, w: Mat<f64, K, N>) -> Mat<f64, M, N> {
    matmul(x, w)
}

fn main() {}
