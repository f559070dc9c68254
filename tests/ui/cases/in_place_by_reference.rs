//! An output in place that is not `&mut`, and a reference to a slice.

use gemm_runtime::prelude::*;

#[gemm]
fn update(x: Mat<f16, M, K>, w: Mat<f16, N, K>, c: &Mat<f16, M, N>) {
    *c = matmul(x, w);
}

#[gemm]
fn slice(x: &[f16], w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
