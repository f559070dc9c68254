//! A name that is nearly a known one.

use gemm_runtime::prelude::*;

#[gemm(
    stage = 4,
    copy = cp_asnyc(16, CG),
    targets = [sm80],
    mma = M16N8K16,
)]
fn f(x: Matt<f16, M, K>, w: Mat<fp16, N, K>, bias: vector<f16, N>, n: u32) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn g(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu_tan(matmul(x, w) + bais).sqr()
}

fn main() {}
