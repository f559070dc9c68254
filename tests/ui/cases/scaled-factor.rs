//! A factor is scaled by tiles of its own indices, by warps that sum whole tiles or parts of one.

use gemm_runtime::prelude::*;

#[gemm(mma = wgmma)]
fn by_warpgroups(
    x: Mat<bf16, M, K>,
    w: Mat<bf16, N, K>,
    s: Tiled<f32, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    matmul(x, w * s)
}

#[gemm(tile = [64, 64, 96])]
fn across_tiles(
    x: Mat<f16, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<f16, N, K, 1, 128>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

// The schedule is derived: the error points at the scales.
#[gemm]
fn across_every_tile(
    x: Mat<f16, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<f16, N, K, 1, 96>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn part_of_a_step(
    x: Mat<f16, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<f16, N, K, 1, 24>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn of_integers(
    x: Mat<i8, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<f32, N, K, 1, 64>,
) -> Mat<f32, M, N> {
    matmul(x, w * s) as f32
}

#[gemm]
fn of_the_other_factor(
    x: Mat<f16, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<f16, M, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn outside(
    x: Mat<f16, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, w) * s
}

#[gemm]
fn of_nothing(
    x: Mat<f16, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<f16, N, K, 1, 0>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn exchanged(
    x: Mat<f16, M, K>,
    w: Mat<i4x32, N, K>,
    s: Tiled<f16, N, K, 128, 1>,
) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn of_a_matrix(
    x: Mat<bf16, M, K>,
    w: Mat<i4x2, N, K>,
    s: Mat<bf16, N, G>,
) -> Mat<bf16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn of_a_vector(x: Mat<bf16, M, K>, w: Mat<i8, N, K>, s: Vector<bf16, N>) -> Mat<bf16, M, N> {
    matmul(x, w * s)
}

fn main() {}
