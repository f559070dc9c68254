//! More stages than the shared memory holds.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], stages = 8, targets = [sm_80, sm_86, sm_90])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
