//! An instruction that an old target lacks.

use gemm_runtime::prelude::*;

#[gemm(mma = m16n8k16, targets = [sm_80, sm_75])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(targets = [sm_80, sm_89])]
fn g(x: Mat<e4m3, M, K>, w: Mat<e5m2, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = m16n8k8, targets = [sm_80, sm_90])]
fn h(x: Mat<f64, M, K>, w: Mat<f64, N, K>) -> Mat<f64, M, N> {
    matmul(x, w)
}

#[gemm(mma = wgmma, copy = tma, targets = [sm_80, sm_90a])]
fn i(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
