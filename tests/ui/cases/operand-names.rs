//! Two operands of one name.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, w: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
