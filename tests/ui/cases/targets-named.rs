//! No target, and one twice.

use gemm_runtime::prelude::*;

#[gemm(targets = [])]
fn none(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(targets = [sm_80, sm_90, sm_80])]
fn twice(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
