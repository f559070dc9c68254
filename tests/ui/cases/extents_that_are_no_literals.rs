//! What a macro cannot count with.

use gemm_runtime::prelude::*;

const BLK_M: usize = 128;

#[gemm(tile = [BLK_M, -128, 32u16], warps = [2, 2.0, 2], stages = "4", swizzle = 3)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {
    let _ = BLK_M;
}
