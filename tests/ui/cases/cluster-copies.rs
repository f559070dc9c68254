//! Two blocks would copy 60 rows each of a tile of B.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 120, 64], mma = wgmma, cluster = [2, 1])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
