//! Several products that share a factor: their columns lie next to each other in one tile.

use super::prelude::*;

goldens! {
    /// The gate of a transformer's MLP, by warps and asynchronous copies.
    #[gemm(tile = [128, 128, 32], warps = [2, 2], copy = cp_async(16, cg), stages = 3)]
    pub fn swiglu(
        x: Mat<f16, M, K>,
        gate: Mat<f16, N, K>,
        up: Mat<f16, N, K>,
    ) -> Mat<f16, M, N> {
        silu(matmul(x, gate)) * matmul(x, up)
    }

    /// The same of weights of 4 bits for few tokens, each with scales of its own.
    #[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 4)]
    pub fn swiglu_scaled(
        x: Mat<bf16, M, K>,
        wg: Mat<i4x2, N, K>,
        sg: Tiled<bf16, N, K, 1, 128>,
        wu: Mat<i4x2, N, K>,
        su: Tiled<bf16, N, K, 1, 128>,
    ) -> Mat<bf16, M, N> {
        silu(matmul(x, wg * sg)) * matmul(x, wu * su)
    }

    /// Three products, with what else a body reads, of factors along N.
    #[gemm(tile = [64, 96, 32], warps = [2, 1, 2], mma = m16n8k16, copy = cp_async(16, cg))]
    pub fn three_products(
        x: Mat<f16, M, K>,
        p: Mat<f16, K, N>,
        q: Mat<f16, K, N>,
        r: Mat<f16, K, N>,
        bias: Vector<f32, N>,
        residual: Mat<f16, M, N>,
    ) -> Mat<f16, M, N> {
        matmul(x, p) * sigmoid(matmul(x, q)) + matmul(x, r) + bias + residual
    }

    /// Two products of lanes, through registers, K shared by blocks.
    #[gemm(tile = [64, 64, 16], warps = [2, 2], mma = fma(4, 4), copy = ld_global(16), split_k = 3)]
    pub fn fma_products(
        x: Mat<f32, M, K>,
        p: Mat<f32, N, K>,
        q: Mat<f32, N, K>,
    ) -> Mat<f32, M, N> {
        matmul(x, p).max(matmul(x, q)) - matmul(x, p)
    }

    /// Two products by tensor copies and warps.
    #[gemm(
        tile = [128, 128, 64], warps = [2, 2], mma = m16n8k16, copy = tma, stages = 3,
        targets = [sm_90a]
    )]
    pub fn tensor_products(
        x: Mat<bf16, M, K>,
        gate: Mat<bf16, N, K>,
        up: Mat<bf16, N, K>,
    ) -> Mat<bf16, M, N> {
        silu(matmul(x, gate)) * matmul(x, up)
    }

    /// The gate of a transformer's MLP, by warpgroups that take turns.
    #[gemm(tile = [64, 192, 64], warpgroups = [1, 1], mma = wgmma, schedule = pingpong)]
    pub fn wgmma_swiglu(
        x: Mat<bf16, M, K>,
        gate: Mat<bf16, N, K>,
        up: Mat<bf16, N, K>,
    ) -> Mat<bf16, M, N> {
        silu(matmul(x, gate)) * matmul(x, up)
    }

    /// The same in clusters, of factors along N, with a residual.
    #[gemm(
        tile = [128, 256, 64], warpgroups = [2, 1], mma = wgmma, cluster = [2, 1],
        schedule = cooperative
    )]
    pub fn wgmma_cluster_products(
        x: Mat<bf16, M, K>,
        gate: Mat<bf16, K, N>,
        up: Mat<bf16, K, N>,
        residual: Mat<bf16, M, N>,
    ) -> Mat<bf16, M, N> {
        silu(matmul(x, gate)) * matmul(x, up) + residual
    }

    /// Products of a batch.
    #[gemm(tile = [64, 128, 64], mma = wgmma)]
    pub fn wgmma_batched_products(
        x: Batched<f16, B, M, K>,
        p: Mat<f16, N, K>,
        q: Mat<f16, N, K>,
    ) -> Batched<f32, B, M, N> {
        matmul(x, p) * matmul(x, q)
    }
}
