//! Elements that are two integers, where one number is needed or floats are multiplied.

use gemm_runtime::prelude::*;

#[gemm]
fn added(x: Mat<f16, M, K>, w: Mat<f16, N, K>, b: Vector<i4x2, N>) -> Mat<f16, M, N> {
    matmul(x, w) + b
}

#[gemm]
fn both_factors(x: Mat<i4x2, M, K>, w: Mat<i4x2, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
