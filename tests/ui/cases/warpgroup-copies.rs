//! Copies that do not bring what warpgroups read.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, copy = cp_async(16, cg))]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
