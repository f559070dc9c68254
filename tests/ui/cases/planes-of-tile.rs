//! K-tiles that do not have both halves of all they have, or more than a stage, and neighbours that do.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 48], mma = wgmma, precision = f16x3)]
fn a_part_of_a_unit(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 32], warps = [1, 1, 2], precision = f16x3)]
fn half_a_unit_for_each_warp(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], mma = wgmma, precision = bf16x6)]
fn a_box_and_a_half_of_three_planes(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 64, 128], mma = wgmma, precision = bf16x6)]
fn six_boxes_of_three_planes(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, precision = bf16x6)]
fn legal_by_warpgroups(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 96], mma = wgmma, precision = f16x3)]
fn three_units(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, precision = f16x3, stages = 3, promote = 96)]
fn promoted_within_a_tile(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], mma = wgmma, precision = f16x3, stages = 3, promote = 96)]
fn promoted_after_the_ring(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], mma = wgmma, precision = f16x3, stages = 4, promote = 96)]
fn legal(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], stages = 2, precision = bf16x6)]
fn legal_by_warps(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

fn main() {}
