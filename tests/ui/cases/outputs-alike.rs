//! Outputs in two orders, and batches beside what is none.

use gemm_runtime::prelude::*;

#[gemm]
fn transposed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f16, N, M>) {
    let z = matmul(x, w);
    (z, gelu(z))
}

#[gemm]
fn other_index(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>, Mat<f16, M, K>) {
    let z = matmul(x, w);
    (z, gelu(z), relu(z))
}

#[gemm]
fn one_is_no_batch(
    x: Batched<f16, B, M, K>,
    w: Mat<f16, N, K>,
) -> (Batched<f32, B, M, N>, Mat<f16, M, N>, Batched<f16, C, M, N>) {
    let z = matmul(x, w);
    (z, gelu(z), relu(z))
}

#[gemm]
fn one_is_a_batch(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f32, M, N>, Batched<f16, B, M, N>) {
    let z = matmul(x, w);
    (z, gelu(z))
}

fn main() {}
