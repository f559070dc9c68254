//! A value for each matrix of a batch, which is a vector with that value at each element.

use gemm_runtime::prelude::*;

#[gemm]
fn of_the_batch(
    q: Batched<bf16, (B, H), S, D>,
    k: Batched<bf16, (B, H), T, D>,
    len: Vector<i32, B>,
) -> Batched<bf16, (B, H), S, T> {
    if column() < len { matmul(q, k) } else { 0.0 }
}

#[gemm]
fn of_one_index(q: Batched<bf16, B, S, D>, k: Batched<bf16, B, T, D>, len: Batched<i32, B>) -> Batched<bf16, B, S, T> {
    if column() < len { matmul(q, k) } else { 0.0 }
}

fn main() {}
