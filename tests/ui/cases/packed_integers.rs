//! Packed integers are those of a factor with rows along K, in whole elements for each warp.

use gemm_runtime::prelude::*;

#[gemm(tile = [16, 64, 32], warps = [1, 4])]
fn half_of_a_load(x: Mat<f16, M, K>, w: Mat<i4x32, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [16, 64, 32], warps = [1, 4])]
fn half_of_the_elements(
    x: Mat<f16, M, K>,
    w: Mat<i4x32, N, K>,
    s: Tiled<f16, N, K, 1, 32>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm(tile = [16, 32, 64], warps = [1, 4])]
fn half_of_the_lines(x: Mat<f16, M, K>, w: Mat<i4x32, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn rows_along_n(x: Mat<f16, M, K>, w: Mat<i4x32, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn added(x: Mat<f16, M, K>, w: Mat<f16, N, K>, r: Mat<i8x16, M, N>) -> Mat<f16, M, N> {
    matmul(x, w) + r as f32
}

#[gemm]
fn stored(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<u4x32, M, N> {
    matmul(x, w)
}

/// A warp has eight columns of each product.
#[gemm(tile = [16, 64, 64], warps = [1, 4])]
fn half_of_the_lines_of_a_product(
    x: Mat<f16, M, K>,
    gate: Mat<u8x16, N, K>,
    up: Mat<u8x16, N, K>,
) -> Mat<f16, M, N> {
    matmul(x, gate) * matmul(x, up)
}

#[gemm]
fn by_singles(x: Mat<f32, M, K>, w: Mat<i4x32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm]
fn small_tiles(
    x: Mat<f16, M, K>,
    w: Mat<i4x32, N, K>,
    s: Tiled<f16, N, K, 1, 8>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm(copy = tma)]
fn tensor_copies(x: Mat<f16, M, K>, w: Mat<i4x32, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy = cp_async(8, ca))]
fn half_of_an_element(x: Mat<f16, M, K>, w: Mat<i4x32, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 32, 64], mma = wgmma)]
fn second_of_warpgroups(x: Mat<f16, M, K>, w: Mat<i4x32, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
