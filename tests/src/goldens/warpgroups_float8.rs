//! Kernels of warpgroups that multiply 8-bit floats, with the scales that they are used with.

use super::prelude::*;

goldens! {
    /// Both kinds, a scale for each row of A and each column of B, and a number of columns that
    /// integers cannot have.
    #[gemm(tile = [128, 72, 128], schedule = cooperative, mma = wgmma, stages = 3)]
    pub fn wgmma_float8(
        a: Mat<e4m3, M, K>,
        b: Mat<e5m2, N, K>,
        scale_a: Vector<f32, M>,
        scale_b: Vector<f32, N>,
    ) -> Mat<bf16, M, N> {
        scale_a * scale_b * matmul(a, b)
    }

    /// The fast form, whose sums the tensor cores truncate over all of K.
    #[gemm(tile = [64, 128, 128], mma = wgmma, promote = never)]
    pub fn wgmma_float8_truncated(
        a: Mat<e4m3, M, K>,
        b: Mat<e4m3, N, K>,
    ) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Promotion after two k-tiles, of two atoms one after the other.
    #[gemm(tile = [128, 64, 64], warpgroups = [1, 1], schedule = cooperative, mma = wgmma, promote = 128)]
    pub fn wgmma_promoted(
        a: Mat<bf16, M, K>,
        b: Mat<bf16, N, K>,
    ) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The same of halves of 88 columns: one is promoted while the other is multiplied.
    #[gemm(
        tile = [128, 176, 64], warpgroups = [2, 1], schedule = cooperative, cluster = [2, 1], mma = wgmma,
        promote = 128,
    )]
    pub fn wgmma_promoted_halves(
        a: Mat<f16, K, M>,
        b: Mat<f16, N, K>,
    ) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Promotion of a cluster, a stage for each, and rows of factors along M and N.
    #[gemm(
        tile = [128, 128, 64], warpgroups = [2, 1], cluster = [2, 1], mma = wgmma, promote = 64,
    )]
    pub fn wgmma_cluster_promoted(
        a: Mat<f16, K, M>,
        b: Mat<f16, K, N>,
    ) -> Mat<f16, N, M> {
        matmul(a, b)
    }

    /// From and to 8 bits, a scale for each operand as a whole, and warpgroups that multiply in turn.
    #[gemm(tile = [64, 128, 128], schedule = pingpong, mma = wgmma, stages = 3)]
    pub fn wgmma_float8_scaled(
        a: Mat<e5m2, M, K>,
        b: Mat<e4m3, N, K>,
        bias: Vector<bf16, N>,
        scale_a: f32,
        scale_b: f32,
        scale_out: f32,
    ) -> Mat<e4m3, M, N> {
        relu(scale_a * scale_b * matmul(a, b) + bias) / scale_out
    }
}
