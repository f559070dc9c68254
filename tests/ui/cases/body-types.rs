//! An integer where a float is needed, and a condition that is a number.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, count: i32) -> Mat<f16, M, N> {
    if count { matmul(x, w) * 2 } else { 0.0 + count }
}

#[gemm]
fn tenths(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<i8, M, N> {
    matmul(x, w) * 0.1
}

#[gemm]
fn halves(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).powi(0.5) + column() / 2.0
}

#[gemm]
fn doubled(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    2 * matmul(x, w) + 1
}

fn main() {}
