//! `pdl` takes names of operands in brackets.

use gemm_runtime::prelude::*;

#[gemm(pdl = w)]
fn no_brackets(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(pdl = ["w", 1])]
fn no_names(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(pdl)]
fn nothing(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
