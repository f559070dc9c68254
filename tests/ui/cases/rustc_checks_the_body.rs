//! What our rules leave to rustc is said at the user's tokens.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let half = 0.5;
    half.max(matmul(x, w))
}

fn main() {}
