//! Functions and methods with no twin on the device, and wrong numbers of arguments.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    erf(matmul(x, w)).asinh()
}

#[gemm]
fn arguments(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    leaky_relu(matmul(x, w)).max(1.0, 2.0)
}

fn main() {}
