//! A constant of another type than the body has, and one that is not in scope.

use gemm_runtime::prelude::*;

const ALPHA: f64 = 0.5;
const ROUNDS: i32 = 3;

#[gemm]
fn doubled(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    ALPHA * matmul(x, w)
}

#[gemm]
fn cast(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let rounds: i32 = ROUNDS;
    rounds as f32 * matmul(x, w) + BETA
}

#[gemm(T = [f16, bf16])]
fn generic<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w) + GAMMA
}

fn main() {}
