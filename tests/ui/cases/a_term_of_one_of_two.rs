//! A term that is added to one of several products in turn: the outputs may have different columns.

use gemm_runtime::prelude::*;

#[gemm]
fn of_one_of_two(
    x: Mat<bf16, M, K>, wq: Mat<bf16, Q, K>, wk: Mat<bf16, N, K>, a: Mat<bf16, M, R>, b: Mat<bf16, Q, R>,
) -> (Mat<bf16, M, Q>, Mat<bf16, M, N>) {
    (matmul(x, wq) + matmul(a, b), matmul(x, wk))
}

fn main() {}
