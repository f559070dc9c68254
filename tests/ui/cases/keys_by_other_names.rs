//! Keys as other tools call them, what follows from other keys, from the signature or the body, and misspelt ones.

use gemm_runtime::prelude::*;

#[gemm(block = [128, 128, 32], threads = 128, smem = 65536, num_stages = 3)]
fn other_names(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(blk = [128, 128, 32], num_warps = 4, grid = [8, 8], regs = 128)]
fn more(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tle = [128, 128, 32], stage = 3)]
fn misspelt(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(BLOCK_M = 128, sparse = true)]
fn names_of_other_tools(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(tf32)]
fn by_its_value(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(dtype = f16, group_size = 128, batch = 8, transpose = true, epilogue = gelu)]
fn of_the_signature_and_the_body(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm]
fn const_generic<const GROUP: usize>(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(stage = 9, tile = [128, 128, 64])]
fn in_the_singular(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

#[gemm(cluster = [0, 1], mma = wgmma)]
fn without_blocks(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

fn main() {}
