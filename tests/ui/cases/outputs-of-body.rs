//! Bodies with another number of values than outputs, and tuples that do not end a body.

use gemm_runtime::prelude::*;

#[gemm]
fn one_value(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    gelu(matmul(x, w))
}

#[gemm]
fn two_of_three(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w);
    (z, gelu(z))
}

#[gemm]
fn two_of_one(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    let z = matmul(x, w);
    (z, gelu(z))
}

#[gemm]
fn in_place(x: Mat<f16, M, K>, w: Mat<f16, N, K>, c: &mut Mat<f32, M, N>) {
    *c = (matmul(x, w), *c)
}

#[gemm]
fn in_branches(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    gate: f32,
) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w);
    if gate > 0.0 { (z, gelu(z)) } else { (z, z) }
}

#[gemm]
fn bound(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let both = (matmul(x, w), 1.0);
    both
}

fn main() {}
