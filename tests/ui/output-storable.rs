//! A result that an old target cannot round.

use gemm_runtime::prelude::*;

#[gemm(mma = m16n8k8, targets = [sm_75])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

fn main() {}
