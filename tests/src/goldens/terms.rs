//! A term that is added to a product: low-rank updates, whose factors have a contraction of their own.

use super::prelude::*;

goldens! {
    /// A low-rank update by warps and asynchronous copies, with a bias.
    #[gemm(tile = [128, 128, 32], warps = [2, 2], copy = cp_async(16, cg), stages = 3)]
    pub fn lora(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        t: Mat<f16, M, R>,
        b: Mat<f16, N, R>,
        alpha: f32,
        bias: Vector<f16, N>,
    ) -> Mat<f16, M, N> {
        matmul(x, w) + alpha * matmul(t, b) + bias
    }

    /// A difference of integer products of lanes, through registers, along a common index.
    #[gemm(tile = [64, 64, 16], warps = [2, 2], mma = fma(4, 4), copy = ld_global(16))]
    pub fn fma_terms(
        x: Mat<f32, M, K>,
        w: Mat<f32, K, N>,
        t: Mat<f32, M, K>,
        b: Mat<f32, K, N>,
    ) -> Mat<f32, M, N> {
        matmul(x, w) - matmul(t, b)
    }

    /// Sums of integers, multiplied modulo 2³², each term split among blocks by itself.
    #[gemm(tile = [32, 64, 32], warps = [1, 2], mma = m16n8k16, stages = 2, split_k = 3)]
    pub fn split_terms(
        x: Mat<i8, K, M>,
        w: Mat<i8, K, N>,
        t: Mat<i8, R, M>,
        b: Mat<i8, R, N>,
        factor: Scalar<i32>,
    ) -> Mat<i32, N, M> {
        matmul(x, w) + matmul(t, b) * factor
    }

    /// By tensor copies and warps, of a batch, without a scale.
    #[gemm(
        tile = [128, 128, 128], warps = [2, 2, 2], mma = m16n8k16, copy = tma, stages = 2,
        targets = [sm_90a]
    )]
    pub fn tensor_terms(
        x: Batched<bf16, B, M, K>,
        w: Mat<bf16, N, K>,
        t: Batched<bf16, B, M, R>,
        b: Mat<bf16, N, R>,
    ) -> Batched<f32, B, M, N> {
        matmul(x, w) + matmul(t, b)
    }

    /// By warpgroups that work together on a tile, in clusters.
    #[gemm(
        tile = [128, 256, 64], warpgroups = [2, 1], mma = wgmma, cluster = [2, 1],
        schedule = cooperative
    )]
    pub fn wgmma_lora(
        x: Mat<bf16, M, K>,
        w: Mat<bf16, N, K>,
        t: Mat<bf16, M, R>,
        b: Mat<bf16, N, R>,
        alpha: f32,
    ) -> Mat<bf16, M, N> {
        matmul(x, w) + alpha / 16.0 * matmul(t, b)
    }

    /// By warpgroups that take turns, of factors along N, in place of a residual.
    #[gemm(tile = [64, 192, 64], warpgroups = [1, 1], mma = wgmma, schedule = pingpong)]
    pub fn wgmma_lora_pingpong(
        x: Mat<bf16, M, K>,
        w: Mat<bf16, K, N>,
        t: Mat<bf16, M, R>,
        b: Mat<bf16, R, N>,
        alpha: Scalar<f32>,
        residual: Mat<bf16, M, N>,
    ) -> Mat<bf16, M, N> {
        residual + alpha * matmul(t, b) + matmul(x, w)
    }

    /// By warpgroups, one tile a block, each term split among the blocks of a cluster.
    #[gemm(tile = [64, 128, 64], mma = wgmma, split_k = 2)]
    pub fn wgmma_split_terms(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        t: Mat<f16, M, R>,
        b: Mat<f16, N, R>,
    ) -> Mat<f16, M, N> {
        relu(matmul(x, w) - 2.0 * matmul(t, b))
    }
}
