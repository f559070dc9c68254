//! More columns than one instruction multiplies, warpgroups that share no tile, bytes along M or N.

use gemm_runtime::prelude::*;

#[gemm(tile = [64, 320, 64], warpgroups = [1, 1], mma = wgmma, stages = 2)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [160, 128, 64], warpgroups = [3, 1], mma = wgmma, stages = 2)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [96, 124, 64], warpgroups = [1, 1], mma = wgmma, stages = 2)]
fn h(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = wgmma, targets = [sm_90])]
fn i(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = wgmma)]
fn j(x: Mat<f64, M, K>, w: Mat<f64, N, K>) -> Mat<f64, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 40, 128], warpgroups = [1, 1], mma = wgmma)]
fn k(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 128], warpgroups = [1, 1], mma = wgmma)]
fn l(x: Mat<i8, M, K>, w: Mat<i8, K, N>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm(mma = wgmma)]
fn m(x: Mat<e4m3, K, M>, w: Mat<e5m2, K, N>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

fn main() {}
