//! Tiles that the copy unit of an SM copies as panels: their rows run along M or N.

use super::prelude::*;

goldens! {
    /// The largest tile, one box and four panels, each for one warp.
    #[gemm(tile = [192, 256, 64], warps = [2, 4], stages = 4, copy = tma)]
    pub fn tensor_along_n(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Panels of both sides, and an epilogue.
    #[gemm(tile = [128, 256, 64], warps = [2, 4], stages = 4, copy = tma)]
    pub fn tensor_along_m_n(
        a: Mat<bf16, K, M>,
        b: Mat<bf16, K, N>,
        bias: Vector<bf16, N>,
    ) -> Mat<bf16, M, N> {
        gelu(matmul(a, b) + bias)
    }

    /// A panel and a box that is not a multiple of it, two warps that share the panel, stores along M, and
    /// blocks that begin somewhere along K.
    #[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 2, split_k = 2, copy = tma)]
    pub fn tensor_along_m(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// Atoms of eight k: a load has 32 columns. Warps with two panels of A, and with half of one of B;
    /// half sums.
    #[gemm(tile = [128, 64, 64], warps = [1, 2], mma = m16n8k8, acc = f16, stages = 3, copy = tma)]
    pub fn tensor_along_shallow(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Warps along K, each with a ring of its own for its rows of the panels.
    #[gemm(tile = [64, 64, 128], warps = [1, 2, 2], stages = 2, split_k = 2, copy = tma)]
    pub fn tensor_along_groups(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Panels of each matrix of a batch, and one box for all of them.
    #[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 3, copy = tma)]
    pub fn tensor_batched(
        a: Batched<f16, B, K, M>,
        b: Mat<f16, N, K>,
        residual: Batched<f16, B, M, N>,
    ) -> Batched<f16, B, M, N> {
        matmul(a, b) + residual
    }

    /// Everything else derived.
    #[gemm(derived, copy = tma)]
    pub fn tensor_along_derived(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }
}
