//! Names that are not known, each at its own token.

use gemm_runtime::prelude::*;

#[gemm(
    tiles = [128, 128, 32],
    mma = m16n8k5,
    acc = f8,
    copy(a = ldg(16), b = cp_async(16, cs)),
    targets = [sm_80, sm_42],
    raster = diagonal(8),
    allow(spills),
)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
