//! Elements that no instruction multiplies, two that none multiplies together, a shape that is not
//! one of their instructions, and integers without tensor cores.

use gemm_runtime::prelude::*;

#[gemm]
fn wide(x: Mat<i32, M, K>, w: Mat<i32, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm]
fn mixed(x: Mat<f16, M, K>, w: Mat<bf16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = m16n8k8)]
fn short(x: Mat<i8, M, K>, w: Mat<u8, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm(mma = m16n8k32)]
fn deep(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = fma(8, 8))]
fn lanes(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

fn main() {}
