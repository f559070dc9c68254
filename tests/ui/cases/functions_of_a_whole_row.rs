//! A body computes one element, so it has no function of a row.

use gemm_runtime::prelude::*;

#[gemm]
fn attention(q: Mat<f16, S, D>, k: Mat<f16, T, D>, scale: f32) -> Mat<f16, S, T> {
    softmax(scale * matmul(q, k))
}

#[gemm]
fn method(q: Batched<f64, B, S, D>, k: Batched<f64, B, T, D>) -> Batched<f64, B, S, T> {
    matmul(q, k).log_softmax(1)
}

#[gemm]
fn norms(x: Mat<f16, M, K>, w: Mat<f16, N, K>, gamma: Vector<f16, N>) -> Mat<f16, M, N> {
    gamma * layer_norm(matmul(x, w)) + rms_norm(matmul(x, w), 1e-6)
}

fn main() {}
