//! Integers are multiplied by f16 and bf16 alone, and a body has no operand along K.

use gemm_runtime::prelude::*;

#[gemm]
fn integers(x: Mat<f32, M, K>, w: Mat<i8, N, K>, s: Vector<f32, N>) -> Mat<f16, M, N> {
    matmul(x, w) * s
}

#[gemm]
fn first(w: Mat<u8, N, K>, x: Mat<e4m3, M, K>) -> Mat<bf16, M, N> {
    matmul(w, x)
}

#[gemm]
fn of_each_group(x: Mat<i8, M, K>, w: Mat<i8, N, K>, s: Mat<f32, N, G>) -> Mat<f16, M, N> {
    matmul(x, w) as f32 * s
}

#[gemm]
fn along_k(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) * s
}

#[gemm]
fn indexed(x: Mat<f16, M, K>, w: Mat<f16, N, K>, s: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) * s[n]
}

fn main() {}
