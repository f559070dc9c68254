//! Second factors that lie next to each other have scales of one element, shape and kind.

use gemm_runtime::prelude::*;

#[gemm]
fn legal(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, su * wu)
}

/// Zeros, with scales that both factors share; the first factor has scales too.
#[gemm]
fn legal_zeros(
    x: Mat<bf16, M, K>,
    sx: Tiled<f32, M, K, 1, 128>,
    wg: Mat<u8, N, K>,
    zg: Tiled<u8, N, K, 1, 128>,
    wu: Mat<u8, N, K>,
    zu: Tiled<u8, N, K, 1, 128>,
    s: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x * sx, (wg - zg) * s)) * matmul(x * sx, (wu - zu) * s)
}

#[gemm]
fn one_without(
    x: Mat<bf16, M, K>,
    wg: Mat<i8, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i8, N, K>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu)
}

#[gemm]
fn the_first_without(
    x: Mat<bf16, M, K>,
    wg: Mat<i8, N, K>,
    wu: Mat<i8, N, K>,
    su: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg)) * matmul(x, wu * su)
}

#[gemm]
fn of_other_kinds(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    zg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<bf16, N, K, 1, 128>,
    cu: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, (wg - zg) * sg)) * matmul(x, wu * su + cu)
}

#[gemm]
fn of_other_groups(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<bf16, N, K, 1, 64>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu * su)
}

#[gemm]
fn of_other_elements(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<f32, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu * su)
}

#[gemm]
fn in_another_order(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<bf16, K, N, 128, 1>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu * su)
}

#[gemm]
fn of_the_other_index(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<bf16, M, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu * su)
}

#[gemm(tile = [64, 64, 128], mma = wgmma)]
fn by_warpgroups(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu * su)
}

/// A warp has four columns of each product.
#[gemm(tile = [16, 32, 128], warps = [1, 4])]
fn half_of_a_band(
    x: Mat<bf16, M, K>,
    wg: Mat<i4x2, N, K>,
    sg: Tiled<bf16, N, K, 1, 128>,
    wu: Mat<i4x2, N, K>,
    su: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, wg * sg)) * matmul(x, wu * su)
}

fn main() {}
