//! Kernels that start before their predecessor has ended.

use super::prelude::*;

goldens! {
    /// Few rows: the weights are on their way before the rows have been written.
    #[gemm(
        tile = [16, 64, 128],
        warps = [1, 2, 4],
        stages = 4,
        copy(b = cp_async(16, cg, evict_first)),
        pdl = [w],
    )]
    pub fn pdl_weights(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
        gelu(matmul(x, w) + bias)
    }

    /// Nothing is known of the predecessor; two blocks a tile, two stages.
    #[gemm(tile = [64, 64, 32], warps = [2, 1], stages = 2, split_k = 2, pdl = [])]
    pub fn pdl_nothing(a: Mat<bf16, M, K>, b: Mat<bf16, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// Both factors are there: what waits is the epilogue.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], pdl = [b, a])]
    pub fn pdl_both(a: Mat<i8, M, K>, b: Mat<i8, N, K>, residual: Mat<i32, M, N>) -> Mat<i32, M, N> {
        matmul(a, b) + residual
    }
}
