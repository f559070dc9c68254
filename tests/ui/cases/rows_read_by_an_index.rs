//! Elements that a body reads at an index of its own.

use gemm_runtime::prelude::*;

#[gemm]
fn gathered_factor(x: Mat<f16, M, K>, w: Mat<f16, N, K>, index: Vector<i32, M>) -> Mat<f16, M, N> {
    matmul(x.gather(index), w)
}

#[gemm]
fn indexed_factor(x: Mat<f16, M, K>, w: Mat<f16, N, K>, index: Vector<i32, M>) -> Mat<f16, M, N> {
    matmul(x[index], w)
}

#[gemm]
fn indexed_value(x: Mat<f16, M, K>, w: Mat<f16, N, K>, index: Vector<i32, M>, table: Vector<f32, N>) -> Mat<f16, M, N> {
    matmul(x, w) + table[index]
}

fn main() {}
