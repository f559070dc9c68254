//! More warpgroups than a block has registers for.

use gemm_runtime::prelude::*;

#[gemm(tile = [256, 64, 64], warpgroups = [4, 1], mma = wgmma)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 96, 64], warpgroups = [2, 3], mma = wgmma)]
fn g(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

// The tile is derived, so too many warpgroups are one error.
#[gemm(warpgroups = [4, 1], mma = wgmma)]
fn h(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
