//! The `;` is the mistake.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w);
}

fn main() {}
