//! The number of a matrix in functions whose output is one matrix, a vector or a batch.

use gemm_runtime::prelude::*;

#[gemm]
fn matrix(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) * batch() as f32
}

#[gemm]
fn reduced(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    max(if batch() == 0 { matmul(x, w) } else { 0.0 })
}

#[gemm]
fn taken(x: Mat<f16, B, K>, w: Mat<f16, N, K>, bias: Vector<f32, N>) -> Mat<f16, B, N> {
    let y = matmul(x, w);
    y + bias * (batch() + row()) as f32
}

#[gemm]
fn arguments(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f16, B, M, N> {
    matmul(x, w) * batch(1) as f32
}

#[gemm]
fn name(x: Batched<f16, (B, H), M, K>, w: Mat<f16, N, K>) -> Batched<f16, (B, H), M, N> {
    if batch > h { 0.0 } else { matmul(x, w) }
}

fn main() {}
