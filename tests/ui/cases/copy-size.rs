//! Copies of sizes that do not exist, and one that cannot pass by the L1 cache.

use gemm_runtime::prelude::*;

#[gemm(copy = cp_async(32, ca))]
fn wide(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy(a = cp_async(8, cg)))]
fn narrow(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy = ld_global(2))]
fn narrower(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
