//! What a `Scalar` takes and what is passed for one.

use gemm_runtime::prelude::*;

#[gemm]
fn parameters(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Scalar, t: Scalar<f32, M>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn multiplied(x: Mat<f16, M, K>, s: Scalar<f16>) -> Mat<f16, M, N> {
    matmul(x, s)
}

#[gemm]
fn types(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Scalar<i32>) -> Mat<f16, M, N> {
    matmul(x, w) * s
}

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Scalar<f32>) -> Mat<f16, M, N> {
    s * matmul(x, w)
}

fn call(device: &Device, x: &Matrix<f16>) {
    let _ = f(device, x, x, 1.0);
}

#[gemm]
fn of_halves(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f16, on: bool, n: usize) -> Mat<f16, M, N> {
    alpha * matmul(x, w)
}

/// What the helps of the one before name.
#[gemm]
fn as_named(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    alpha: f32,
    beta: Scalar<f16>,
    on: i32,
) -> Mat<f16, M, N> {
    if on != 0 { alpha * matmul(x, w) } else { beta * matmul(x, w) }
}

fn main() {
    let _ = call;
}
