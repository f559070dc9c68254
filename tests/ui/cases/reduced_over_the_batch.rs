//! A reduction to the index of the batch.

use gemm_runtime::prelude::*;

#[gemm]
fn total(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Vector<f32, B> {
    sum(matmul(x, w))
}

fn main() {}
