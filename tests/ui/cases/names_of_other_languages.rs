//! What other languages and libraries call what a body has, and forms of a function that it lacks.

use gemm_runtime::prelude::*;

#[gemm]
fn infinity(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).min(f32::INF)
}

#[gemm]
fn logarithm(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).log()
}

#[gemm]
fn reciprocal_of_a_root(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    rsqrt(matmul(x, w))
}

#[gemm]
fn clipped(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w).clip(0.0, 1.0)
}

#[gemm]
fn magnitude(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    absmax(matmul(x, w))
}

#[gemm]
fn total(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    summ(matmul(x, w))
}

#[gemm]
fn largest(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    matmul(x, w).max()
}

#[gemm]
fn two_vectors(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    let z = matmul(x, w);
    (sum(z), max(z))
}

#[gemm]
fn typed_call(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul::<f32>(x, w)
}

#[gemm]
fn transposed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w.T)
}

#[gemm]
fn power(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let z = matmul(x, w);
    z ** 2
}

#[gemm]
fn lifetime(x: Mat<'a, f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn declared(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N>;

fn main() {}
