//! Architectures that cannot wait for the predecessor kernel.

use gemm_runtime::prelude::*;

#[gemm(pdl = [w], targets = [sm_80, sm_90, sm_89])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
