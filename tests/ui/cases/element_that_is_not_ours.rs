//! `f16` by name is not `f16` by type.

use gemm_runtime::prelude::{Mat, gemm};

#[allow(non_camel_case_types)]
type f16 = u16;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn of_another_name(x: Mat<float8_e4m3fn, M, K>, w: Mat<float8_e4m3fn, N, K>) -> Mat<half, M, N> {
    matmul(x, w)
}

fn main() {}
