//! Zero and absurd extents are never built.

use gemm_runtime::prelude::*;

#[gemm(tile = [0, 65536, 32], warps = [2, 0], stages = 99999999999999999999, swizzle = [2, 99, 3])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
