//! Sums in what the atom does not sum in.

use gemm_runtime::prelude::*;

#[gemm(mma = m16n8k16, acc = f16)]
fn f(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(acc = i32)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(acc = f16, targets = [sm_80, sm_89])]
fn h(x: Mat<e4m3, M, K>, w: Mat<e4m3, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = wgmma, acc = f16)]
fn i(x: Mat<e4m3, M, K>, w: Mat<e5m2, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
