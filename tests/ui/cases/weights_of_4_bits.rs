//! Integers of 4 bits are elements of two, and a factor of them has a matrix of half the columns.

use gemm_runtime::prelude::*;

#[gemm]
fn single(x: Mat<bf16, M, K>, w: Mat<i4, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm]
fn stored(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<u4x2, M, N> {
    matmul(x, w)
}

#[gemm]
fn added(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>, r: Mat<i4x2, M, N>) -> Mat<bf16, M, N> {
    matmul(x, w) + r as f32
}

#[gemm]
fn by_singles(x: Mat<f32, M, K>, w: Mat<i4x2, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

fn main() {}
