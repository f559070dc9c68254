//! The threads that store together have whole rows, and room for what they reduce.

use gemm_runtime::prelude::*;

#[gemm(mma = fma(8, 8), tile = [32, 256, 8], warps = [1, 1])]
fn rows_of_more_runs_than_threads(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Vector<f32, M> {
    sum(matmul(x, w))
}

#[gemm(mma = fma(8, 8), tile = [32, 128, 8], warps = [1, 1])]
fn as_many_runs_as_threads(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Vector<f32, M> {
    sum(matmul(x, w))
}

#[gemm]
fn three_values_of_eight_bytes(
    x: Mat<f64, M, K>,
    w: Mat<f64, N, K>,
) -> (Mat<f64, M, N>, Vector<f64, M>, Vector<f64, M>, Vector<f64, M>) {
    let h = matmul(x, w);
    (h, sum(h), max(h), min(h))
}

#[gemm]
fn two_values_of_eight_bytes(
    x: Mat<f64, M, K>,
    w: Mat<f64, N, K>,
) -> (Mat<f64, M, N>, Vector<f64, M>, Vector<f64, N>, Vector<f64, M>) {
    let h = matmul(x, w);
    (h, sum(h), max(h), min(h))
}

fn main() {}
