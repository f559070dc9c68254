//! Names that the expansion needs are refused; all others are free.

use gemm_runtime::prelude::*;

#[gemm]
fn constants(SOURCE: Mat<f16, M, K>, None: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(SOURCE, None)
}

#[gemm]
fn f16(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn hidden(x: Mat<f16, M, K>, w: Mat<f16, N, K>, relu: f32) -> Mat<f16, M, N> {
    relu(matmul(x, w))
}

#[gemm]
fn body(body: Mat<f16, None, KERNEL>, into: Mat<f16, SOURCE, KERNEL>, relu: f32) -> Mat<f16, None, SOURCE> {
    silu(matmul(body, into)) * relu
}

fn gelu(x: f32) -> f32 {
    x
}

#[gemm]
fn shadowed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    gelu(matmul(x, w))
}

/// Of the same type as a built-in function.
fn mish<T: gemm_runtime::Real>(x: T) -> T {
    relu(x)
}

#[gemm]
fn of_the_same_type(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    mish(matmul(x, w))
}

fn main() {
    println!("{} {}", gelu(1.0), mish(1.0));
}
