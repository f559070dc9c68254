//! A vector is what `sum`, `max`, `min` or `abs_max` reduces the values of a body to, and a matrix is not.

use gemm_runtime::prelude::*;

#[gemm]
fn a_vector_that_nothing_is_reduced_to(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f16, M, N>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, h * h)
}

#[gemm]
fn a_matrix_of_sums(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    sum(matmul(x, w))
}

#[gemm]
fn a_sum_to_compute_with(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h / sum(h), sum(h))
}

#[gemm]
fn reductions_of_two_types(
    x: Mat<i8, M, K>,
    w: Mat<i8, N, K>,
) -> (Vector<i32, M>, Vector<f32, N>) {
    let h = matmul(x, w);
    (max(h), sum(h as f32))
}

#[gemm]
fn an_index_of_neither_factor(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f16, M, N>, Vector<f32, K>) {
    let h = matmul(x, w);
    (h, sum(h))
}

#[gemm]
fn a_sum_over_a_name(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    sum(matmul(x, w), N)
}

#[gemm]
fn vectors_of_indices_that_no_factor_has(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Vector<f32, M>, Vector<f32, Q>) {
    let h = matmul(x, w);
    (sum(h), sum(h))
}

/// The largest number of values that a thread has room for.
#[gemm]
fn the_most(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Vector<f32, M>, Vector<f32, M>, Vector<f32, M>, Vector<f32, M>) {
    let h = matmul(x, w);
    (sum(h), sum(h * h), max(h), min(h))
}

#[gemm]
fn a_sum_as_a_method(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    matmul(x, w).sum()
}

#[gemm]
fn a_mean(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    sum(matmul(x, w)) / 64.0
}

#[gemm]
fn a_mean_beside_a_matrix(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f16, M, N>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, sum(h * h) / 64.0)
}

fn main() {}
