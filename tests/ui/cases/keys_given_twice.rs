//! The second one is the error.

use gemm_runtime::prelude::*;

#[gemm(stages = 3, stages = 4, copy(a = cp_async(16, cg), a = cp_async(8, ca)))]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
