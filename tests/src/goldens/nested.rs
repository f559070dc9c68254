//! The golden kernels of batches over several indices: operands over all, over some of them, or over none.

use super::prelude::*;

goldens! {
    /// Heads that share the keys of their sequence, with a vector for each head and a residual for all.
    #[gemm(tile = [64, 32, 32], warps = [2, 1], stages = 3)]
    pub fn nested(
        q: Batched<f16, (Outer, Heads), M, K>,
        keys: Batched<f16, Outer, N, K>,
        bias: Batched<f32, (Outer, Heads), N>,
        residual: Mat<f16, M, N>,
    ) -> Batched<bf16, (Outer, Heads), M, N> {
        matmul(q, keys) + bias + residual
    }

    /// Blocks that walk in clusters, and copy boxes of four coordinates.
    #[gemm(
        tile = [64, 64, 64], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 3
    )]
    pub fn wgmma_nested(
        q: Batched<bf16, (Outer, Heads), M, K>,
        keys: Batched<bf16, Outer, N, K>,
        bias: Batched<bf16, Outer, N>,
    ) -> Batched<bf16, (Outer, Heads), M, N> {
        relu(matmul(q, keys) + bias)
    }

    /// Three indices; each operand but one lacks another.
    #[gemm(tile = [64, 32, 32], warps = [2, 1], stages = 3)]
    pub fn of_three_indices(
        q: Batched<f16, (Batch, Groups, Heads), M, K>,
        keys: Batched<f16, (Batch, Groups), N, K>,
        bias: Batched<f32, (Groups, Heads), N>,
        residual: Batched<f16, Groups, M, N>,
    ) -> Batched<bf16, (Batch, Groups, Heads), M, N> {
        matmul(q, keys) + bias + residual
    }

    /// Boxes of all five dimensions that the copy unit has, to the blocks of a cluster and from epilogue tiles.
    #[gemm(
        tile = [64, 64, 64], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 3
    )]
    pub fn wgmma_of_three_indices(
        q: Batched<bf16, (Batch, Groups, Heads), M, K>,
        keys: Batched<bf16, (Batch, Groups), N, K>,
        residual: Batched<bf16, (Batch, Heads), M, N>,
    ) -> Batched<bf16, (Batch, Groups, Heads), M, N> {
        matmul(q, keys) + residual
    }
}
