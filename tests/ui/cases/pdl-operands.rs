//! Names that are no operands of the product, one that is given twice, copies through registers, and names without those
//! that are loaded with them.

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

/// The scales would be read after the wait, before the weights are multiplied.
#[gemm(pdl = [w])]
fn without_scales(
    x: Mat<bf16, M, K>,
    w: Mat<i4x32, N, K>,
    s: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    matmul(x, w * s)
}

/// Of products that lie next to each other all second factors come together; `x` alone would be early.
#[gemm(pdl = [x, gate])]
fn one_of_two(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

fn main() {}
