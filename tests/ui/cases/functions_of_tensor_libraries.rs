//! Functions that libraries of tensors have: under another name here, in another form, or not at all.

use gemm_runtime::prelude::*;

#[gemm]
fn centred(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w) - mean(matmul(x, w))
}

#[gemm]
fn largest_place(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    argmax(matmul(x, w))
}

#[gemm]
fn causal(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    tril(matmul(x, w)) + if col() > row() { f32::NEG_INFINITY } else { 0.0 }
}

#[gemm]
fn regularised(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    dropout(swish(matmul(x, w)), 0.1)
}

#[gemm]
fn gated(x: Mat<f16, M, K>, w: Mat<f16, N, K>, v: Mat<f16, N, K>) -> Mat<f16, M, N> {
    swiglu(matmul(x, w), matmul(x, v))
}

#[gemm]
fn convolution(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) + conv2d(bias)
}

#[gemm]
fn products(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) + mm(x, w)
}

#[gemm]
fn of_a_path(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    crate::activation(matmul(x, w))
}

#[gemm]
fn method(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    x.matmul(w)
}

#[gemm]
fn chain(x: Mat<f16, M, K>, w: Mat<f16, H, K>, v: Mat<f16, N, H>) -> Mat<f16, M, N> {
    matmul(matmul(x, w), v)
}

#[gemm]
fn means(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    mean(matmul(x, w))
}

fn main() {}
