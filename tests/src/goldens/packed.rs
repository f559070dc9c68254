//! Integers in the order in which lanes of tensor cores multiply them.

use super::prelude::*;

goldens! {
    /// Weights of 4 bits for few tokens, with the scales of a whole load of a lane.
    #[gemm(tile = [16, 64, 128], warps = [1, 4], stages = 4)]
    pub fn packed_scaled(
        x: Mat<bf16, M, K>,
        w: Mat<i4x32, N, K>,
        s: Tiled<bf16, N, K, 1, 128>,
    ) -> Mat<bf16, M, N> {
        matmul(x, w * s)
    }

    /// Bytes as the first factor for 8 tokens, K shared by two warps.
    #[gemm(tile = [64, 8, 256], warps = [4, 1, 2], copy = cp_async(16, cg), stages = 2)]
    pub fn packed_first(w: Mat<i8x16, M, K>, x: Mat<bf16, N, K>) -> Mat<bf16, N, M> {
        matmul(w, x)
    }

    /// Few tokens, with the weights as the first factor: a warp has one atom, whose instructions add to two sums.
    #[gemm(tile = [64, 8, 128], warps = [4, 1], stages = 6)]
    pub fn packed_by_turns(
        w: Mat<i4x32, M, K>,
        s: Tiled<bf16, M, K, 1, 128>,
        x: Mat<bf16, N, K>,
    ) -> Mat<bf16, N, M> {
        matmul(w * s, x)
    }

    /// Weights, scales and offsets that are copied before the predecessor has ended.
    #[gemm(tile = [32, 8, 128], warps = [2, 1], stages = 3, pdl = [w, s, c])]
    pub fn packed_early(
        w: Mat<u4x32, M, K>,
        s: Tiled<f32, M, K, 1, 32>,
        c: Tiled<f32, M, K, 1, 32>,
        x: Mat<bf16, N, K>,
    ) -> Mat<bf16, N, M> {
        matmul(w * s + c, x)
    }

    /// Through registers and by the smaller atom, which sm_75 has: unsigned.
    #[gemm(tile = [32, 64, 64], warps = [1, 2], mma = m16n8k8, copy = ld_global(16), stages = 2, targets = [sm_75, sm_80])]
    pub fn packed_shallow(x: Mat<f16, M, K>, w: Mat<u4x32, N, K>) -> Mat<f32, M, N> {
        matmul(x, w)
    }

    /// Zeros of tiles that are a part of a load, in halves of a word that a stage holds, K shared by blocks.
    #[gemm(tile = [16, 32, 64], warps = [1, 2], split_k = 2)]
    pub fn packed_zeros(
        x: Mat<f16, M, K>,
        w: Mat<u4x32, N, K>,
        s: Tiled<f16, N, K, 1, 32>,
        z: Tiled<f16, N, K, 1, 32>,
    ) -> Mat<f16, M, N> {
        matmul(x, (w - z) * s)
    }

    /// Zeros that lanes load, of tiles that a k-tile has one of a line of.
    #[gemm(tile = [16, 32, 64], warps = [1, 2])]
    pub fn packed_zeros_of_lanes(
        x: Mat<f16, M, K>,
        w: Mat<u4x32, N, K>,
        s: Tiled<f16, N, K, 1, 64>,
        z: Tiled<f16, N, K, 1, 64>,
    ) -> Mat<f16, M, N> {
        matmul(x, (w - z) * s)
    }

    /// Scales and offsets of blocks of 32, which a stage holds: K shared by two warps.
    #[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 3)]
    pub fn packed_blocks(
        x: Mat<bf16, M, K>,
        w: Mat<u4x32, N, K>,
        s: Tiled<f32, N, K, 1, 32>,
        c: Tiled<f32, N, K, 1, 32>,
    ) -> Mat<bf16, M, N> {
        matmul(x, w * s + c)
    }

    /// Bytes with scales of f32 that a stage holds, as the first factor: one for both k-steps of a warp, K shared by blocks.
    #[gemm(tile = [64, 16, 128], warps = [2, 1, 2], stages = 4, split_k = 2)]
    pub fn scaled_blocks(
        w: Mat<i8, M, K>,
        s: Tiled<f32, M, K, 1, 64>,
        x: Mat<f16, N, K>,
    ) -> Mat<f32, N, M> {
        matmul(w * s, x)
    }

    /// The gate of a transformer's MLP for few tokens: each product has packed weights, with scales.
    #[gemm(tile = [16, 64, 128], warps = [1, 2, 2], stages = 4)]
    pub fn packed_swiglu(
        x: Mat<bf16, M, K>,
        wg: Mat<i4x32, N, K>,
        sg: Tiled<bf16, N, K, 1, 128>,
        wu: Mat<i4x32, N, K>,
        su: Tiled<bf16, N, K, 1, 128>,
    ) -> Mat<bf16, M, N> {
        silu(matmul(x, wg * sg)) * matmul(x, wu * su)
    }

    /// Two warpgroups, whose sums are scaled.
    #[gemm(tile = [128, 16, 128], warpgroups = [2, 1], mma = wgmma, copy = tma, stages = 4)]
    pub fn packed_wgmma(
        w: Mat<i4x32, M, K>,
        s: Tiled<bf16, M, K, 1, 128>,
        x: Mat<bf16, N, K>,
    ) -> Mat<bf16, N, M> {
        matmul(w * s, x)
    }

    /// Two warpgroups next to each other, whose warps copy scales and offsets of blocks of 32 to the stages.
    #[gemm(tile = [64, 128, 128], warpgroups = [1, 2], mma = wgmma, copy = tma, stages = 3)]
    pub fn packed_wgmma_blocks(
        w: Mat<u4x32, M, K>,
        s: Tiled<f32, M, K, 1, 32>,
        c: Tiled<f32, M, K, 1, 32>,
        x: Mat<bf16, N, K>,
    ) -> Mat<bf16, N, M> {
        matmul(w * s + c, x)
    }
}
