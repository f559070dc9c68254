//! Calls of an attribute with several numbers, and numbers that a macro would have to compute.

use gemm_runtime::prelude::*;

#[gemm(raster = along_m(8, 8))]
fn two_widths(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(split_k = tail(8, 4))]
fn two_limits(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64 * 2, 128, 32])]
fn computed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(stages = 1 << 2)]
fn shifted(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
