//! The offset of a factor is subtracted before it is scaled or added afterwards, and has the tiles of its scales.

use gemm_runtime::prelude::*;

#[gemm]
fn less(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, (w - z) * s)
}

#[gemm]
fn plus(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, z + s * w)
}

#[gemm]
fn added_before(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, (w + z) * s)
}

#[gemm]
fn subtracted_after(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, w * s - z)
}

#[gemm]
fn without_scales(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    z: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, w - z)
}

#[gemm]
fn twice(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
    c: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, (w - z) * s + c)
}

#[gemm]
fn of_a_matrix(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Mat<f16, N, K>,
) -> Mat<f16, M, N> {
    matmul(x, (w - z) * s)
}

#[gemm]
fn of_a_vector(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    c: Vector<f16, N>,
) -> Mat<f16, M, N> {
    matmul(x, w * s + c)
}

#[gemm]
fn of_a_number(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, (w - 8.0) * s)
}

#[gemm]
fn of_another_factor(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, M, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, (w - z) * s)
}

#[gemm]
fn of_other_tiles(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f32, K, N, 128, 1>,
) -> Mat<f16, M, N> {
    matmul(x, (w - z) * s)
}

#[gemm]
fn of_both(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
    t: Tiled<f16, M, K, 1, 64>,
    c: Tiled<f16, M, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x * t + c, (w - z) * s)
}

#[gemm]
fn in_one_product(
    x: Mat<f16, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, (w - z) * s) + matmul(x, w * s)
}

#[gemm]
fn distributed(
    x: Mat<f16, M, K>,
    w: Mat<u4x2, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
) -> Mat<f16, M, N> {
    matmul(x, w * s - z * s)
}

#[gemm]
fn distributed_over_a_matrix(
    x: Mat<f16, M, K>,
    w: Mat<u4x2, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Mat<u4x2, N, K>,
) -> Mat<f16, M, N> {
    matmul(x, w * s - z * s)
}

fn main() {}
