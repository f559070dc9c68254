//! All of a body is read before anything is said.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let y = match x { _ => matmul(x, w) };
    let z = f32::max(y[0], y?) as i64;
    for i in 0..3 {}
    return z;
}

#[gemm]
fn assigned(x: Mat<f16, M, K>, w: Mat<f16, N, K>, on: i32) -> Mat<f16, M, N> {
    let mut z = matmul(x, w);
    if on > 0 {
        z = relu(z);
    }
    z = z + 1.0;
    z *= on as f32 + 1.0;
    if on < 0 { z } else { -z };
    z
}

#[gemm]
fn closure(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let act = |z: f32| z.max(0.0);
    act(matmul(x, w))
}

#[gemm]
fn square(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let z = matmul(x, w);
    z ^ 2
}

#[gemm]
fn conversions(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    f16::from_f32(matmul(x, w)) + bias as bf16
}

#[gemm]
fn widened(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) + bias.to_f32()
}

fn main() {}
