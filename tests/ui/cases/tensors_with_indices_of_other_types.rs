//! Three indices, one, and an extent for one: each is another type.

use gemm_runtime::prelude::*;

#[gemm]
fn batches(x: Mat<f16, B, M, K>, w: Mat<f16, B, H, N, K>) -> Mat<f16, B, M, N> {
    matmul(x, w)
}

#[gemm]
fn vectors(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Mat<f16, N>, c: Vector<f16, M, N>) -> Mat<f16, N> {
    matmul(x, w) + bias + c
}

#[gemm]
fn extents(x: Mat<f16, 1, K>, w: Mat<f16, N, K>, bias: Mat<f16, N, 1>, s: Vector<f32, 1>) -> Mat<f16, 1, N> {
    matmul(x, w) * s + bias
}

#[gemm]
fn a_vector(x: Vector<f16, K>, w: Mat<f16, N, K>) -> Vector<f16, N> {
    matmul(w, x)
}

#[gemm]
fn without_elements(x: Mat<M, K>, w: Mat<f16, (N, K)>, bias: Vector<N>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

fn main() {}
