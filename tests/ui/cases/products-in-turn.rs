//! Products of different columns that cannot be computed in turn.

use gemm_runtime::prelude::*;

/// Each output has a product of its own columns, and all are computed alike.
#[gemm]
fn legal(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, N, K>,
    wv: Mat<bf16, N, K>,
    bq: Vector<f32, Q>,
    bk: Vector<f32, N>,
    bv: Vector<f32, N>,
) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>, Mat<bf16, M, N>) {
    let q = matmul(x, wq) + bq;
    let k = matmul(x, wk) + bk;
    let v = matmul(x, wv) + bv;
    (q, k, v)
}

#[gemm]
fn computed_in_another_way(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, N, K>,
    scale: f32,
) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>) {
    (scale * matmul(x, wq), matmul(x, wk))
}

#[gemm]
fn one_value_of_both(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, N, K>,
) -> Mat<bf16, M, Q> {
    matmul(x, wq) * matmul(x, wk)
}

/// The bias of the wrong columns.
#[gemm]
fn of_other_columns(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, N, K>,
    bias: Vector<f32, Q>,
) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>) {
    (matmul(x, wq) + bias, matmul(x, wk) + bias)
}

#[gemm]
fn reduced(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, N, K>,
) -> (Mat<bf16, M, Q>, Vector<f32, M>) {
    (matmul(x, wq), sum(matmul(x, wk)))
}

#[gemm]
fn of_other_elements(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<f16, N, K>,
) -> (Mat<bf16, M, Q>, Mat<f32, M, N>) {
    (matmul(x, wq), matmul(x, wk))
}

#[gemm]
fn of_another_order(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, K, N>,
) -> (Mat<bf16, M, Q>, Mat<bf16, N, M>) {
    (matmul(x, wq), matmul(x, wk))
}

#[gemm]
fn of_another_batch(
    x: Batched<bf16, B, M, K>,
    wq: Batched<bf16, B, Q, K>,
    wk: Mat<bf16, N, K>,
) -> (Batched<bf16, B, M, Q>, Batched<bf16, B, M, N>) {
    (matmul(x, wq), matmul(x, wk))
}

#[gemm(precision = f16x3)]
fn of_planes(
    x: Mat<f32, M, K>,
    wq: Mat<f32, Q, K>,
    wk: Mat<f32, N, K>,
) -> (Mat<f32, M, Q>, Mat<f32, M, N>) {
    (matmul(x, wq), matmul(x, wk))
}

#[gemm(targets = [sm_90], pdl = [wq])]
fn early(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, N, K>,
) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>) {
    (matmul(x, wq), matmul(x, wk))
}

/// A mistake of the schedule is found beside it.
#[gemm(tile = [64, 60, 32], warps = [2, 2], mma = m16n8k16)]
fn beside_another_mistake(
    x: Mat<bf16, M, K>,
    wq: Mat<bf16, Q, K>,
    wk: Mat<bf16, N, K>,
) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>) {
    (matmul(x, wq), relu(matmul(x, wk)))
}

#[gemm]
fn a_misspelt_sum(x: Mat<f16, M, K>, w: Mat<f16, Q, K>, v: Mat<f16, Kay, N>) -> (Mat<f16, M, Q>, Mat<f16, M, N>) {
    (matmul(x, w), matmul(x, v))
}

#[gemm]
fn a_misspelt_sum_of_the_first(
    x: Mat<f16, M, K>,
    w: Mat<f16, Q, Kay>,
    v: Mat<f16, N, K>,
) -> (Mat<f16, M, Q>, Mat<f16, M, N>) {
    (matmul(x, w), matmul(x, v))
}

/// The rows of the output in the place of the columns of one product.
#[gemm]
fn rows_of_the_output(
    x: Mat<bf16, M, K>,
    q: Mat<bf16, NQ, K>,
    v: Mat<bf16, M, K>,
) -> (Mat<bf16, M, NQ>, Mat<bf16, M, NV>) {
    (matmul(x, q), matmul(x, v))
}

/// The same of products that lie next to each other.
#[gemm]
fn rows_of_one_output(
    x: Mat<bf16, M, K>,
    q: Mat<bf16, M, K>,
    v: Mat<bf16, N, K>,
) -> (Mat<f16, M, N>, Mat<bf16, M, N>) {
    let y = matmul(x, q) - matmul(x, v);
    (y, -y)
}

fn main() {}
