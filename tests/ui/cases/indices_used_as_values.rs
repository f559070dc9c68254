//! Indices of the output, of a batch and of the sum, in capitals or not.

use gemm_runtime::prelude::*;

#[gemm]
fn causal(q: Mat<f16, M, K>, k: Mat<f16, N, K>) -> Mat<f16, M, N> {
    if n > m { 0.0 } else { matmul(q, k) }
}

#[gemm]
fn capitals(q: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, N, M> {
    if M > 4 { 0.0 } else { matmul(q, w) }
}

#[gemm]
fn of_a_batch(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f16, B, M, N> {
    matmul(x, w) * b
}

#[gemm]
fn mean(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) / K
}

#[gemm]
fn masked(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    if row() < M { matmul(x, w) / N as f32 } else { 0.0 }
}

fn main() {}
