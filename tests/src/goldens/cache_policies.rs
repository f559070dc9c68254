//! Copies that say what L2 does with the lines that they read.

use super::prelude::*;

goldens! {
    /// Few rows: the second factor is read once, the first by all blocks.
    #[gemm(
        tile = [16, 64, 64],
        warps = [1, 2, 2],
        stages = 4,
        copy(a = cp_async(16, cg), b = cp_async(16, cg, evict_first)),
    )]
    pub fn evict_first(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// A policy of each side, copies through L1 and threads that a tile has no whole number of
    /// copies for.
    #[gemm(
        tile = [48, 80, 32],
        warps = [3, 1],
        mma = m16n8k16,
        copy(a = cp_async(8, ca, evict_last), b = cp_async(16, ca, evict_normal)),
    )]
    pub fn evict_last(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// One policy of both sides, of bytes, whose narrowest copies have none.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], copy = cp_async(16, cg, evict_unchanged))]
    pub fn evict_unchanged(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N> {
        matmul(a, b)
    }
}
