//! Functions and methods with no twin on the device, and wrong numbers of arguments.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    erf(matmul(x, w)).asinh()
}

#[gemm]
fn arguments(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    leaky_relu(matmul(x, w)).max(1.0, 2.0)
}

#[gemm]
fn of_a_sum(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    (matmul(x, w) + bias).relu()
}

#[gemm]
fn named(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let act = relu;
    act(matmul(x, w))
}

#[gemm]
fn bounds(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).clamp(1.0, -1.0)
}

#[gemm]
fn bounds_in_order(x: Mat<f16, M, K>, w: Mat<f16, N, K>, lo: f32) -> Mat<f16, M, N> {
    matmul(x, w).clamp(-1.0, 1.0).clamp(lo, -1.0).clamp(1.0, 1.0)
}

#[gemm(tiles = [64, 64, 32])]
fn key_as_well(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    gelo(matmul(x, w))
}

fn main() {}
