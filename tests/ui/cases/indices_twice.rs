//! An index that an operand has twice, and scales with other indices than their factor.

use gemm_runtime::prelude::*;

#[gemm]
fn rows_twice(x: Mat<f16, M, K>, w: Mat<f16, N, K>, b: Mat<f16, M, M>) -> Mat<f16, M, N> {
    matmul(x, w) + b
}

#[gemm]
fn columns_twice(x: Mat<f16, M, K>, w: Mat<f16, N, K>, b: Mat<f16, N, N>) -> Mat<f16, M, N> {
    matmul(x, w) + b
}

#[gemm]
fn of_the_output(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Tiled<f16, M, N, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w) * s
}

#[gemm]
fn another_case(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Tiled<f16, N, k, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn summed_twice(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Tiled<f16, K, K, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn twice_in_a_further_product(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    v: Mat<f16, K, K>,
) -> (Mat<f16, M, N>, Mat<bf16, M, N>) {
    let y = matmul(x, w) - matmul(x, v);
    (y.max(0.0), -y)
}

fn main() {}
