//! Fragments that are no whole loads of `ldmatrix`, warps that do not share panels in equal parts, and
//! an atom that it loads nothing for.

use gemm_runtime::prelude::*;

#[gemm(tile = [32, 48, 64], warps = [2, 2], mma = m16n8k16, stages = 2, copy = tma)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 32], mma = fma(8, 4), stages = 2, copy = tma, allow(bank_conflicts))]
fn g(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [192, 192, 64], warps = [2, 4], stages = 2, copy = tma)]
fn h(x: Mat<f16, K, M>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
