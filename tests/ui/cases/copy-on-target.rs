//! A copy that an old target lacks.

use gemm_runtime::prelude::*;

#[gemm(mma = m16n8k8, copy = cp_async(16, cg), targets = [sm_75])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
