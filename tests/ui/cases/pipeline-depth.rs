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

fn main() {}
