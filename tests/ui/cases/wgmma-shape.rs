//! An instruction of warpgroups that the tile or the elements do not have.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 256, 64], warpgroups = [2, 1], mma = m64n128k16)]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 96, 128], mma = m64n96k16)]
fn g(x: Mat<e4m3, M, K>, w: Mat<e5m2, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 96, 64], mma = m64n96)]
fn h(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = m64n100k16)]
fn of_columns(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// What the help of the one before names.
#[gemm(mma = m64n96k16)]
fn fewer(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = m64n104k16)]
fn more(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(mma = m64n512k16)]
fn too_many(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
