//! Scales of elements that are not floats, an offset without scales, and a vector along the summed index.

use gemm_runtime::prelude::*;

#[gemm]
fn doubles(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Tiled<f64, N, K, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn integers(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Tiled<i32, N, K, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn bytes(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Tiled<u8, N, K, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn added(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Tiled<f16, N, K, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w + s)
}

#[gemm]
fn subtracted(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Tiled<f16, N, K, 1, 128>) -> Mat<f16, M, N> {
    matmul(x, w - s)
}

#[gemm]
fn gains_of_a_norm(x: Mat<f16, M, K>, w: Mat<f16, N, K>, gamma: Vector<f16, K>) -> Mat<f16, M, N> {
    matmul(x * gamma, w)
}

fn main() {}
