//! Cache policies that do not exist, and one where there is none.

use gemm_runtime::prelude::*;

#[gemm(copy(a = cp_async(16, cg, evict), b = cp_async(16, cg, no_allocate)))]
fn unknown(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy = ld_global(16, evict_first))]
fn through_registers(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy = cp_async(16, evict_first))]
fn no_operator(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(copy(a = tma(evict), b = tma(evict_first, evict_last)))]
fn of_tensors(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
