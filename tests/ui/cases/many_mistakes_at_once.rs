//! Independent rules are all reported, each at its own literal.

use gemm_runtime::prelude::*;

#[gemm(
    tile = [128, 100, 40],
    warps = [3, 2],
    mma = m16n8k16,
    copy = cp_async(8, cg),
    stages = 1,
    targets = [sm_75, sm_80],
)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, K>) -> Mat<f16, M, N> {
    erf(matmul(x, w) + bias) * gain
}

fn main() {}
