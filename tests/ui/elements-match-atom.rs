//! Elements that the instruction does not multiply, and two that it does not multiply together.

use gemm_runtime::prelude::*;

#[gemm]
fn wide(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn mixed(x: Mat<f16, M, K>, w: Mat<bf16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
