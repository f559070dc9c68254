//! Kernels of warpgroups that write into a parameter.

use super::prelude::*;

goldens_in_place! {
    /// Blocks that walk over tiles, a number of columns that epilogue tiles do not divide, rows of f32.
    #[gemm(tile = [64, 120, 64], schedule = cooperative, mma = wgmma)]
    pub fn wgmma_axpby(
        c: &mut Mat<f32, M, N>,
        a: Mat<bf16, M, K>,
        b: Mat<bf16, N, K>,
        alpha: f32,
        beta: f32,
    ) {
        *c = alpha * matmul(a, b) + beta * *c;
    }
    /// The same of a batch: tiles of more epilogue tiles than there are at a time, which copies bring and store.
    #[gemm(tile = [64, 160, 64], schedule = cooperative, mma = wgmma, stages = 3)]
    pub fn wgmma_batched_axpby(
        c: &mut Batched<f32, B, M, N>,
        a: Batched<bf16, B, M, K>,
        b: Mat<bf16, N, K>,
        residual: Mat<f32, M, N>,
        beta: f32,
    ) {
        *c = matmul(a, b) + beta * *c + residual;
    }
    /// Clusters of four blocks that share the K of a tile: of integers, in two warpgroups, along M.
    #[gemm(tile = [128, 96, 128], warpgroups = [2, 1], mma = wgmma, stages = 2, split_k = 4)]
    pub fn wgmma_split_bytes(
        c: &mut Mat<i32, N, M>,
        a: Mat<i8, M, K>,
        b: Mat<u8, N, K>,
        bias: Vector<i32, N>,
    ) {
        *c += matmul(a, b) + bias;
    }
}
