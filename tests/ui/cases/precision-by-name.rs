//! Atoms that round factors of f32 without being asked to, precisions that the atom does not have, and
//! some of factors that are not f32.

use gemm_runtime::prelude::*;

#[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k8)]
fn f(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = m64n128k8, precision = f32)]
fn g(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = fma(8, 8), precision = tf32)]
fn h(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(precision = tf32)]
fn i(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(precision = f16x3)]
fn j(x: Mat<bf16, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = fma(8, 8), precision = f16x3)]
fn k(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = m16n8k4, precision = f16x3)]
fn of_tf32(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = m16n8k16, copy = tma, precision = f16x3)]
fn by_tensor_copies(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(precision = f16x3, acc = f16)]
fn l(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = m8n8k4, precision = bf16x6)]
fn of_doubles(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(precision = f16x2)]
fn m(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = m64n128k16, precision = f16x3)]
fn legal(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(copy = tma, precision = f16x3)]
fn legal_by_tensor_copies(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(mma = m16n8k8, precision = f16x3)]
fn legal_by_warps(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

fn main() {}
