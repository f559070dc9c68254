//! Coordinates with arguments, without a call, as a factor, as a float and hidden by a name.

use gemm_runtime::prelude::*;

#[gemm]
fn arguments(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) * (row(1) - column(0, 1)) as f32
}

#[gemm]
fn names(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    if column > row { 0.0 } else { matmul(x, w) }
}

#[gemm]
fn factor(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(row(), w)
}

#[gemm]
fn float(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) * column()
}

#[gemm]
fn hidden(x: Mat<f16, M, K>, w: Mat<f16, N, K>, row: Vector<f16, M>) -> Mat<f16, M, N> {
    matmul(x, w) * row + row() as f32
}

#[gemm]
fn misspelt(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w) * colum() as f32
}

fn main() {}
