//! K split among blocks that share a tile of a batch: the sums of each matrix are kept apart.

use super::prelude::*;

goldens! {
    /// Both factors are batches.
    #[gemm(tile = [64, 32, 32], warps = [2, 1], stages = 3, split_k = 3)]
    pub fn split_batched(
        a: Batched<f16, B, M, K>,
        b: Batched<f16, B, N, K>,
    ) -> Batched<f16, B, M, N> {
        matmul(a, b)
    }

    /// One factor is the same for all; integers tell what is added twice, or to another matrix.
    #[gemm(tile = [32, 32, 32], warps = [1, 2], stages = 2, raster = along_n(2), split_k = 2)]
    pub fn split_batched_integers(
        a: Batched<i8, B, M, K>,
        b: Mat<i8, N, K>,
        bias: Batched<i32, B, N>,
    ) -> Batched<i32, B, N, M> {
        matmul(a, b) + bias
    }

    /// A batch of doubles, its sums in f64.
    #[gemm(tile = [32, 32, 8], warps = [2, 1], stages = 3, split_k = 4)]
    pub fn split_batched_doubles(
        a: Mat<f64, M, K>,
        b: Batched<f64, B, K, N>,
        alpha: f64,
    ) -> Batched<f64, B, M, N> {
        alpha * matmul(a, b)
    }
}
