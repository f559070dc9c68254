//! Bodies that depend on where their element lies in the output.

use super::prelude::*;

goldens! {
    /// A bias that depends on the distance from the diagonal, before a matrix that is read for several
    /// chunks at a time.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn distance_bias(
        q: Mat<f16, M, K>,
        k: Mat<f16, N, K>,
        slope: f32,
        previous: Mat<f16, M, N>,
    ) -> Mat<f32, M, N> {
        matmul(q, k) + slope * (column() - row()) as f32 + previous
    }

    /// A transposed output, whose rows run along N.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn transposed_positions(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        scale: Vector<f16, M>,
    ) -> Mat<f32, N, M> {
        let position = row() as f32 - 0.25 * column() as f32;
        matmul(a, b) * scale + position
    }

    /// A causal mask, applied to results that a warpgroup stages.
    #[gemm(tile = [128, 128, 64], warpgroups = [2, 1], mma = wgmma, stages = 3)]
    pub fn wgmma_causal(q: Mat<bf16, M, K>, k: Mat<bf16, N, K>, scale: f32) -> Mat<bf16, M, N> {
        if column() > row() { f32::NEG_INFINITY } else { scale * matmul(q, k) }
    }

    /// A band of a transposed output, over a matrix that copies bring ahead of time.
    #[gemm(tile = [64, 128, 64], warpgroups = [1, 1], mma = wgmma, stages = 3)]
    pub fn wgmma_band_nm(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        residual: Mat<f16, N, M>,
        width: i32,
    ) -> Mat<f16, N, M> {
        let distance = (column() - 2 * row()).abs();
        if distance <= 16 * width { matmul(a, b) + residual } else { residual }
    }
}
