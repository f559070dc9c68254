//! Keys that hold for all schedules, in the first attribute and in a further one, or in the further one alone.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 32], T = [f16, bf16])]
#[gemm(tile = [64, 128, 32], T = [f16, bf16])]
fn listed_twice<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32])]
#[gemm(tile = [64, 128, 32], invariant)]
fn in_the_second(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
