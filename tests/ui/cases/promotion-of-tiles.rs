//! Sums that cannot be promoted where it is asked for, and a neighbour that can.

use gemm_runtime::prelude::*;

#[gemm(tile = [128, 128, 64], mma = wgmma, stages = 4, promote = 96)]
fn in_a_tile(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, stages = 4, promote = 256)]
fn more_than_the_ring(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 128], mma = wgmma, promote = 128)]
fn of_integers(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm(mma = fma(8, 8), promote = 64)]
fn by_lanes(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], copy = tma, promote = 64)]
fn by_warps_and_tensor_copies(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], warps = [2, 2], promote = 64)]
fn without_registers_of_warps(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 256, 64], warpgroups = [2, 1], mma = wgmma, promote = 64)]
fn without_registers(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, stages = 4, promote = 192)]
fn legal(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

#[gemm(tile = [128, 128, 32], warps = [4, 2], stages = 2, promote = 256)]
fn legal_by_warps(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

fn main() {}
