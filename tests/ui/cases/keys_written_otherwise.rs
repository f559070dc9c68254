//! Each key with the form it has.

use gemm_runtime::prelude::*;

#[gemm(stages(4), raster, targets = sm_80, allow = bank_conflicts, copy = cp_async, tile = [128, 128, 32] warps = [2, 2])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(precision = "tf32", targets = ["sm_90"])]
fn quoted(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

fn main() {}
