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

    /// A slope for each matrix of a batch, by blocks that walk over tiles and fill epilogue tiles ahead of time.
    #[gemm(tile = [64, 128, 64], warpgroups = [1, 1], mma = wgmma, schedule = pingpong, stages = 3)]
    pub fn wgmma_slopes(
        q: Batched<f16, B, M, K>,
        k: Batched<f16, B, N, K>,
        bias: Batched<f16, B, M, N>,
    ) -> Batched<f16, B, M, N> {
        let slope = 0.5 / (batch() + 1) as f32;
        matmul(q, k) + bias + slope * (column() - row()) as f32
    }

    /// A scale by the number of the matrix among those of two indices, once the parts of K are added.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], split_k = 2, stages = 3)]
    pub fn numbered_split(
        a: Batched<f16, (B, H), M, K>,
        b: Batched<f16, H, N, K>,
    ) -> Batched<f32, (B, H), M, N> {
        matmul(a, b) * (batch() % 3 + 1) as f32
    }
}
