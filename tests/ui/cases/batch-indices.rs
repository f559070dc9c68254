//! Batches over other indices than the output's, or over none, and an output that is a single matrix.

use gemm_runtime::prelude::*;

#[gemm]
fn one_matrix(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn no_factor(x: Mat<f16, M, K>, w: Mat<f16, N, K>, c: Batched<f16, B, M, N>) -> Batched<f16, B, M, N> {
    matmul(x, w) + c
}

#[gemm]
fn others(
    x: Batched<f16, B, M, K>,
    w: Batched<f16, C, N, K>,
    bias: Batched<f16, Heads, N>,
    y: &mut Batched<f16, B, M, N>,
) {
    *y = matmul(x, w) + bias
}

#[gemm]
fn summed_over(x: Batched<f16, K, M, K>, w: Mat<f16, N, K>) -> Batched<f16, K, M, N> {
    matmul(x, w)
}

#[gemm]
fn a_vector_alone(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Batched<f16, B, N>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

#[gemm]
fn in_another_order(
    q: Batched<f16, (B, H), S, D>,
    k: Batched<f16, (H, B), T, D>,
    bias: Batched<f32, (B, C), T>,
) -> Batched<f32, (B, H), S, T> {
    matmul(q, k) + bias
}

#[gemm]
fn of_no_factor(
    q: Batched<f16, B, S, D>,
    k: Batched<f16, B, T, D>,
    bias: Batched<f32, H, T>,
) -> Batched<f32, (B, H), S, T> {
    matmul(q, k) + bias
}

#[gemm]
fn one_is_lost(q: Batched<f16, (B, H), S, D>, k: Mat<f16, T, D>) -> Batched<f32, H, S, T> {
    matmul(q, k)
}

#[gemm]
fn of_any_rank(
    q: Batched<f16, (A, B, C, H), S, D>,
    k: Batched<f16, (A, C), T, D>,
    bias: Batched<f32, (C, A), T>,
) -> Batched<f32, (A, B, C, H), S, T> {
    matmul(q, k) + bias
}

#[gemm]
fn twice(q: Batched<f16, B, S, D>, k: Mat<f16, T, D>) -> Batched<f32, (B, B), S, T> {
    matmul(q, k)
}

/// No factor has the index that its output would have.
#[gemm]
fn wider_than_the_factors(
    q: Batched<f16, H, S, D>,
    k: Mat<f16, T, D>,
    c: Batched<f32, (B, H), S, T>,
) -> Batched<f32, H, S, T> {
    matmul(q, k) + c
}

fn main() {}
