//! The golden kernels of batches: each factor in turn is the same for all matrices.

use super::prelude::*;

goldens! {
    /// Both factors are batches; everything else is derived.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn batched(
        a: Batched<f16, B, M, K>,
        b: Batched<f16, B, N, K>,
    ) -> Batched<f16, B, M, N> {
        matmul(a, b)
    }

    /// One weight for a batch of activations, a residual and a vector for each, a bias for all.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn batched_a(
        a: Batched<f16, B, M, K>,
        b: Mat<f16, K, N>,
        scale: Batched<f32, B, M>,
        bias: Vector<f16, N>,
        previous: Batched<f16, B, M, N>,
        alpha: f32,
    ) -> Batched<f16, B, M, N> {
        alpha * scale * relu(matmul(a, b) + bias) + previous
    }

    /// The other factor alone is a batch; the output is stored along M, blocks walk along N, and an
    /// elementwise matrix is the same for all.
    #[gemm(tile = [64, 32, 32], warps = [2, 2], stages = 3, raster = along_n(4))]
    pub fn batched_b_nm(
        a: Mat<bf16, M, K>,
        b: Batched<bf16, B, K, N>,
        gate: Mat<bf16, M, N>,
    ) -> Batched<f32, B, N, M> {
        matmul(a, b) * gate
    }
}
