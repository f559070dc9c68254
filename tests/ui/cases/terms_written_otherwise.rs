//! Products of other factors that a kernel cannot add as they are written.

use gemm_runtime::prelude::*;

#[gemm]
fn two_terms(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    a: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    c: Mat<f16, M, S>,
    d: Mat<f16, N, S>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(a, b) + matmul(c, d)
}

#[gemm]
fn divided(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    a: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(a, b) / 2.0
}

#[gemm]
fn divided_by_a_scalar(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    a: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    s: f32,
) -> Mat<f16, M, N> {
    let t = matmul(a, b) / s;
    matmul(x, w) - t
}

#[gemm]
fn swapped_factors(
    x: Mat<f16, M, K>,
    a: Mat<f16, N, K>,
    b: Mat<f16, N, K>,
) -> Mat<f16, M, N> {
    matmul(x, a) * matmul(b, x)
}

#[gemm]
fn swapped_factors_of_a_term(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    a: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    s: f32,
) -> Mat<f16, M, N> {
    s * matmul(b, a) + matmul(x, w)
}

fn main() {}
