//! Kernels of warpgroups that write into a parameter.

use super::prelude::*;

goldens_in_place! {
    /// Blocks that walk over tiles, a number of columns that slabs do not divide, rows of f32.
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
