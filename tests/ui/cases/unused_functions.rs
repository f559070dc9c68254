//! A private function that nothing uses is reported once, at its name.

#![deny(dead_code)]

use gemm_runtime::prelude::*;

#[gemm]
fn unused(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    gelu(matmul(x, w))
}

#[gemm(T = [f16, bf16])]
fn generic<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

#[gemm]
fn only_into(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn only_reference(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
#[allow(dead_code)]
fn allowed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {
    let into = |device: &Device, x: &Matrix<f16>, y: &mut Matrix<f16>| only_into::into(device, x, x, y);
    let _ = (into, only_reference::reference);
}
