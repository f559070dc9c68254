//! An error of what was derived points at the literal that it was derived from.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 128])]
fn a(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(tile = [1024, 1024, 64])]
fn b(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(tile = [128, 128, 4096])]
fn c(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(warps = [1, 1])]
fn d(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(mma = wgmma, warpgroups = [1, 1])]
fn e(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(warps = [2, 2, 8])]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(mma = m64n96k16)]
fn g(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(tile = [32, 96, 32])]
fn h(x: Mat<i8, M, K>, w: Mat<i8, K, N>) -> Mat<i32, M, N> { matmul(x, w) }
#[gemm(tile = [256, 256, 64], warps = [4, 4])]
fn i(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }
#[gemm(mma = wgmma, tile = [128, 128, 1024])]
fn j(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }

fn main() {}
