//! Elements that an old target cannot convert.

use gemm_runtime::prelude::*;

#[gemm(mma = m16n8k8, targets = [sm_75])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(targets = [sm_80, sm_89])]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<e5m2, N>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

// Nothing is named, so that the targets are those that have them.
#[gemm]
fn h(x: Mat<e4m3, M, K>, w: Mat<e5m2, N, K>) -> Mat<e4m3, M, N> {
    matmul(x, w)
}

fn main() {}
