//! A ring with nothing to fill while it is read.

use gemm_runtime::prelude::*;

#[gemm(stages = 1)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
