//! Products that do not lie next to each other.

use gemm_runtime::prelude::*;

/// The same product twice is one; two share their first factor.
#[gemm]
fn legal(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up) + matmul(x, gate)
}

#[gemm]
fn nothing_in_common(
    x: Mat<f16, M, K>,
    p: Mat<f16, N, K>,
    y: Mat<f16, M, K>,
    q: Mat<f16, N, K>,
) -> Mat<f16, M, N> {
    matmul(x, p) * matmul(y, q)
}

#[gemm]
fn the_second_in_common(
    p: Mat<f16, N, K>,
    q: Mat<f16, N, K>,
    x: Mat<f16, M, K>,
) -> Mat<f16, M, N> {
    matmul(p, x) * matmul(q, x)
}

#[gemm]
fn too_many(
    x: Mat<f16, M, K>,
    a: Mat<f16, N, K>,
    b: Mat<f16, N, K>,
    c: Mat<f16, N, K>,
    d: Mat<f16, N, K>,
    e: Mat<f16, N, K>,
) -> Mat<f16, M, N> {
    matmul(x, a) + matmul(x, b) + matmul(x, c) + matmul(x, d) + matmul(x, e)
}

#[gemm]
fn of_other_elements(
    x: Mat<f16, M, K>,
    gate: Mat<f16, N, K>,
    up: Mat<bf16, N, K>,
) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

#[gemm]
fn of_another_order(
    x: Mat<f16, M, K>,
    gate: Mat<f16, N, K>,
    up: Mat<f16, K, N>,
) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

#[gemm]
fn of_another_batch(
    x: Batched<f16, B, M, K>,
    gate: Batched<f16, B, N, K>,
    up: Mat<f16, N, K>,
) -> Batched<f16, B, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

#[gemm]
fn along_m(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, N, M> {
    silu(matmul(x, gate)) * matmul(x, up)
}

fn main() {}
