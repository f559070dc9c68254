//! Integers that are multiplied by floats are copied by threads, in rows along K.

use gemm_runtime::prelude::*;

#[gemm(mma = wgmma)]
fn by_warpgroups(x: Mat<bf16, M, K>, w: Mat<i8, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(copy = tma, mma = m16n8k16)]
fn by_tensor_copies(x: Mat<bf16, M, K>, w: Mat<u8, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm]
fn across(x: Mat<f16, K, M>, w: Mat<i8, K, N>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [64, 64, 16])]
fn shallow(x: Mat<f16, M, K>, w: Mat<i8, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
