//! Names that are no operands of the product, one that is given twice, and copies through registers.

use gemm_runtime::prelude::*;

#[gemm(pdl = [weights, w, bias, w])]
fn names(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    matmul(x, w) + bias
}

#[gemm(pdl = [w], copy = ld_global(16))]
fn through_registers(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// The warps that multiply start these copies in turn.
#[gemm(pdl = [w], copy = tma)]
fn by_warps(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
