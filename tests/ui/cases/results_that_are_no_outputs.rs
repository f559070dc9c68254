//! Tuples of what cannot be returned, or of one matrix; a result beside one that is written in place.

use gemm_runtime::prelude::*;

#[gemm]
fn one(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>,) {
    (matmul(x, w),)
}

#[gemm]
fn a_vector(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Vector<f32, N>, f32) {
    let z = matmul(x, w);
    (z, z, z)
}

#[gemm]
fn beside_in_place(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    c: &mut Mat<f32, M, N>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w);
    (z, z)
}

#[gemm]
fn element(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<i32, M, N>) {
    let z = matmul(x, w);
    (z, z)
}

/// A mistake in one of them is no mistake of the calls.
fn call(device: &Device, x: &Matrix<f16>) -> Result<(), Error> {
    let (_, mut last) = element(device, x, x)?;
    element::into(device, x, x, &mut device.zeros(1, 1)?, &mut last)
}

#[gemm]
fn one_value(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> f32 {
    sum(matmul(x, w))
}

#[gemm]
fn triangle(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> LowerTriangular<f16, M, N> {
    matmul(x, w)
}

fn main() {
    let _ = call;
}
