//! Single and double precision that meet without a cast.

use gemm_runtime::prelude::*;

#[gemm]
fn scalar(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f64) -> Mat<f16, M, N> {
    alpha * matmul(x, w)
}

#[gemm]
fn stored(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f64, N>) -> Mat<f32, M, N> {
    gelu(matmul(x, w) as f64 + bias)
}

#[gemm]
fn literals(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f64, N>) -> Mat<f64, M, N> {
    let half: f32 = 0.5;
    leaky_relu(bias * half, 0.1f32) + matmul(x, w) * 2
}

#[gemm]
fn digits(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) + 1.00000005960464477539062500001
}

fn main() {}
