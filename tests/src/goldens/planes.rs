//! Factors of f32 that are multiplied as sums of two f16 or three bf16.

use super::prelude::*;

goldens! {
    /// Everything derived: warps, whose sums are promoted every 64 of K.
    #[gemm(derived, precision = f16x3)]
    pub fn f16x3(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Shallow atoms, copies through registers, factors across K; blocks share K, and warps do.
    #[gemm(
        tile = [64, 32, 64], warps = [2, 1, 2], mma = m16n8k8, precision = f16x3, split_k = 2,
        copy = ld_global(16),
    )]
    pub fn f16x3_km_kn_nm(
        a: Mat<f32, K, M>,
        b: Mat<f32, K, N>,
        bias: Vector<f32, N>,
    ) -> Mat<f32, N, M> {
        gelu(matmul(a, b) + bias)
    }

    /// Two products of the matrices of a batch.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], precision = f16x3, promote = never, stages = 3)]
    pub fn f16x3_products(
        x: Batched<f32, B, M, K>,
        gate: Mat<f32, N, K>,
        up: Mat<f32, N, K>,
    ) -> Batched<bf16, B, M, N> {
        silu(matmul(x, gate)) * matmul(x, up)
    }

    /// Two batches: the exponents of a matrix follow those of the one before.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k16, precision = f16x3, stages = 3)]
    pub fn f16x3_batched(
        a: Batched<f32, B, M, K>,
        b: Batched<f32, B, N, K>,
        bias: Vector<f32, N>,
    ) -> Batched<f32, B, M, N> {
        matmul(a, b) + bias
    }

    /// Three planes, by warps.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], precision = bf16x6, stages = 3)]
    pub fn bf16x6(a: Mat<f32, K, M>, b: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
        gelu(matmul(a, b) + bias)
    }

    /// The same by warpgroups, which share a tile in a cluster and walk.
    #[gemm(
        tile = [128, 64, 64], warpgroups = [2, 1], schedule = cooperative, cluster = [2, 1],
        mma = wgmma, precision = bf16x6, stages = 2,
    )]
    pub fn wgmma_bf16x6(
        a: Batched<f32, B, M, K>,
        b: Batched<f32, B, K, N>,
    ) -> Batched<f32, B, M, N> {
        matmul(a, b)
    }

    /// Sums of halves that warps along K promote, after every k-tile.
    #[gemm(tile = [64, 64, 64], warps = [2, 1, 2], promote = 64, stages = 3)]
    pub fn promoted_halves(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Everything derived: two warpgroups of 64×128.
    #[gemm(derived, mma = wgmma, precision = f16x3)]
    pub fn wgmma_f16x3(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Two units of K a stage, sums that are never promoted, both factors across K, stores along M.
    #[gemm(
        tile = [64, 96, 64], mma = wgmma, precision = f16x3, promote = never, stages = 3
    )]
    pub fn wgmma_f16x3_km_kn_nm(
        a: Mat<f32, K, M>,
        b: Mat<f32, K, N>,
        bias: Vector<f32, N>,
    ) -> Mat<f32, N, M> {
        relu(matmul(a, b) + bias)
    }

    /// Blocks of a cluster that walk and take turns, over the matrices of a batch, whose second factor is
    /// the same for all.
    #[gemm(
        tile = [64, 64, 32], schedule = pingpong, cluster = [2, 1], mma = wgmma,
        precision = f16x3, stages = 4,
    )]
    pub fn wgmma_f16x3_cluster_pingpong(
        a: Batched<f32, B, M, K>,
        b: Mat<f32, N, K>,
        residual: Batched<f32, B, M, N>,
    ) -> Batched<f32, B, M, N> {
        0.5 * matmul(a, b) + residual
    }

    /// Two products, each with the columns of a part.
    #[gemm(tile = [128, 64, 32], warpgroups = [2, 1], mma = wgmma, precision = f16x3, stages = 3)]
    pub fn wgmma_f16x3_products(
        x: Mat<f32, M, K>,
        gate: Mat<f32, N, K>,
        up: Mat<f32, N, K>,
    ) -> Mat<bf16, M, N> {
        silu(matmul(x, gate)) * matmul(x, up)
    }

    /// Blocks of a cluster that share the K of a tile.
    #[gemm(tile = [64, 64, 32], mma = wgmma, precision = f16x3, split_k = 2, stages = 3)]
    pub fn wgmma_f16x3_split(
        a: Batched<f32, B, M, K>,
        b: Batched<f32, B, K, N>,
    ) -> Batched<bf16, B, M, N> {
        matmul(a, b)
    }
}
