//! The value for the other case is missing.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let y = matmul(x, w);
    if y > 0.0 { y }
}

fn main() {}
