//! Sums of integers stored as floats and floats as 32-bit integers, without a cast.

use gemm_runtime::prelude::*;

#[gemm]
fn halves(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn integers(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm]
fn scaled(x: Mat<i8, M, K>, w: Mat<u8, N, K>, scale: Vector<f32, N>) -> Mat<i8, M, N> {
    matmul(x, w) * scale
}

fn main() {}
