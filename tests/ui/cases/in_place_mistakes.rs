//! What the form in place does not allow, each at its own tokens.

use gemm_runtime::prelude::*;

#[gemm]
fn multiplied(a: Mat<f16, M, K>, c: &mut Mat<f16, M, N>) {
    *c = matmul(a, c) + c
}

#[gemm]
fn two(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f16, M, N>, d: &mut Mat<f16, M, N>) -> Mat<f16, M, N> {
    *c = matmul(a, b)
}

#[gemm]
fn indices(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f16, M, K>) {
    *c += matmul(a, b)
}

#[gemm]
fn name(a: Mat<f16, M, K>, b: Mat<f16, N, K>, a: &mut Mat<f16, M, N>) {
    *a = matmul(a, b)
}

#[gemm]
fn nothing(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f16, M, N>) {
    matmul(a, b) + *c
}

#[gemm]
fn elsewhere(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f16, N>, c: &mut Mat<f16, M, N>) {
    *bias = matmul(a, b)
}

#[gemm]
fn no_reference(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f16, N>, c: &mut Mat<f16, M, N>) {
    *c = matmul(a, b) + *bias
}

#[gemm]
fn vector(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Vector<f16, N>, alpha: &mut f32) {
    *c = matmul(a, b)
}

#[gemm]
fn shared(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f16, M, N>) {
    *c += matmul(a, b)
}

fn call(device: &Device, a: &Matrix<f16>, mut c: Matrix<f16>) {
    let _ = shared(device, a, a, &c);
}

fn main() {
    let _ = call;
}
