//! A ring with nothing to fill while it is read, and a deeper one than copies through registers
//! have a use for.

use gemm_runtime::prelude::*;

#[gemm(stages = 1)]
fn shallow(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy = ld_global(16), stages = 3)]
fn deep(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Copies of a deeper ring need newer targets, too.
#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 4, targets = [sm_80, sm_75])]
fn on_older_targets(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
