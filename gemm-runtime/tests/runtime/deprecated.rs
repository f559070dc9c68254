//! A deprecated function does not warn of its own expansion.

#![deny(deprecated)]
#![allow(dead_code, reason = "their kernels are used")]

use gemm_runtime::prelude::*;

#[deprecated = "use another one"]
#[gemm]
fn of_halves(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[deprecated = "use another one"]
#[gemm(T = [f16, bf16])]
fn of_both<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

#[test]
#[allow(deprecated, reason = "only uses of them warn")]
fn deprecated_functions_compile() {
    let names = [of_halves::KERNEL.name.as_ref(), of_both::f16::KERNEL.name.as_ref()];
    assert_eq!(names, ["of_halves", "of_both_f16"]);
}
