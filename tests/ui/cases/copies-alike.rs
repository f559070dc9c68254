//! One side through registers, the other past them.

use gemm_runtime::prelude::*;

#[gemm(copy(a = cp_async(16, cg), b = ld_global(8)))]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
