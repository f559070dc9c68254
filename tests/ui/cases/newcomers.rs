//! What somebody writes who comes from elsewhere: the mistakes of docs/mistakes.md.

use gemm_runtime::prelude::*;

#[gemm]
fn transposed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w.t())
}

#[gemm]
fn scores(q: Mat<f16, S, D>, k: Mat<f16, T, D>, scale: f32) -> Mat<f16, S, T> {
    softmax(scale * matmul(q, k))
}

#[gemm]
fn batch(x: Mat<f16, B, M, K>, w: Batched<f16, B, N, K>) -> Batched<f16, B, M, N> {
    matmul(x, w)
}

#[gemm(tiles = [128, 128, 32], num_stages = 4)]
fn keys(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], warps = 4)]
fn warps(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f16) -> Mat<f16, M, N> {
    alpha * matmul(x, w)
}

#[gemm(acc = f16)]
fn sums(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm]
fn mixed(x: Mat<f32, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm]
fn mean(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w) / N as f32
}

#[gemm]
fn integers(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<f32, M, N> {
    matmul(x, w) * 0.1
}

#[gemm]
fn biased(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, K>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

#[gemm(tile = [256, 256, 64], warps = [4, 2], stages = 2, targets = [sm_80])]
fn large(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn mutable(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let mut z = matmul(x, w);
    z = z * z;
    z
}

#[gemm]
fn method(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    (matmul(x, w) + bias).relu()
}

#[gemm]
fn printed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    println!("{}", 1);
    matmul(x, w)
}

#[gemm]
fn references(x: &Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn generic<T: Copy>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

#[gemm]
fn int4(x: Mat<bf16, M, K>, w: Mat<i4x2, N, K>, s: Mat<bf16, N, G>) -> Mat<bf16, M, N> {
    matmul(x, w * s)
}

#[gemm]
fn chain(x: Mat<f16, M, K>, w: Mat<f16, N, K>, v: Mat<f16, O, N>) -> Mat<f16, M, O> {
    matmul(matmul(x, w), v)
}

#[gemm]
fn square(x: Mat<f16, M, D>, w: Mat<f16, D, D>) -> Mat<f16, M, D> {
    matmul(x, w)
}

fn main() {}
