//! Tiles that are no boxes: their rows, also for each of the warps along K, how many there are, their
//! swizzle; no whole panels, and elements that cannot be transposed; k-tiles of warpgroups.

use gemm_runtime::prelude::*;

#[gemm(tile = [288, 64, 32], warps = [9, 1], stages = 2, copy = tma, swizzle(b = [2, 3, 3]), allow(bank_conflicts))]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 272, 64], warps = [1, 17], stages = 2, copy(a = tma, b = tma))]
fn g(x: Mat<f16, K, M>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [96, 32, 64], warps = [3, 1], stages = 2, copy = tma)]
fn i(x: Mat<f16, K, M>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(precision = tf32, copy = tma)]
fn j(x: Mat<f32, M, K>, w: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], warps = [2, 1, 2], stages = 2, copy = tma)]
fn k(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 96], mma = wgmma, stages = 2)]
fn l(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 2, copy = tma)]
fn of_three_indices(x: Batched<f16, (A, B, C), M, K>, w: Mat<f16, N, K>) -> Batched<f16, (A, B, C), M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 2, copy = tma)]
fn of_four(x: Batched<f16, (A, B, C, D), M, K>, w: Mat<f16, N, K>) -> Batched<f16, (A, B, C, D), M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], mma = wgmma)]
fn of_four_by_warpgroups(
    x: Batched<f16, (A, B, C, D), M, K>,
    w: Mat<f16, N, K>,
) -> Batched<f16, (A, B, C, D), M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 64], mma = wgmma, cluster = [1, 8])]
fn packed_rows_are_few(w: Mat<u8x16, M, K>, x: Mat<bf16, N, K>, s: Tiled<bf16, M, K, 1, 64>) -> Mat<bf16, M, N> {
    matmul(w * s, x)
}

#[gemm(tile = [64, 64, 64], mma = wgmma, cluster = [1, 4])]
fn as_few_as_blocks(w: Mat<u8x16, M, K>, x: Mat<bf16, N, K>, s: Tiled<bf16, M, K, 1, 64>) -> Mat<bf16, M, N> {
    matmul(w * s, x)
}

fn main() {}
