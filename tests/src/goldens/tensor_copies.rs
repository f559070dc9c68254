//! Tiles that the copy unit of an SM copies.

use super::prelude::*;

goldens! {
    /// The largest tile whose accumulators leave room for fragments.
    #[gemm(tile = [192, 256, 64], warps = [2, 4], stages = 4, copy = tma)]
    pub fn tensor(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// A ring of two stages, warps with two loads of A, stores along M and an epilogue.
    #[gemm(tile = [64, 48, 64], warps = [2, 1], stages = 2, copy = tma)]
    pub fn tensor_gelu(
        a: Mat<bf16, M, K>,
        b: Mat<bf16, N, K>,
        bias: Vector<bf16, N>,
    ) -> Mat<bf16, N, M> {
        gelu(matmul(a, b) + bias)
    }

    /// Everything else derived.
    #[gemm(derived, copy = tma)]
    pub fn tensor_derived(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Bytes, rows of 128 of them.
    #[gemm(tile = [96, 64, 128], warps = [1, 2], stages = 3, copy = tma)]
    pub fn tensor_bytes(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// Factors that are rounded on the way, five loads of A in turns of four.
    #[gemm(tile = [160, 32, 32], warps = [2, 2], precision = tf32, stages = 3, copy = tma)]
    pub fn tensor_singles(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The same of the largest tile.
    #[gemm(tile = [192, 256, 32], warps = [2, 4], precision = tf32, stages = 4, copy = tma)]
    pub fn tensor_singles_large(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Atoms of eight k: a load has fragments of two. Half sums.
    #[gemm(tile = [64, 64, 64], warps = [1, 2], mma = m16n8k8, acc = f16, stages = 3, copy = tma)]
    pub fn tensor_shallow(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Warps along K, each with a ring of its own.
    #[gemm(tile = [32, 64, 256], warps = [1, 2, 4], stages = 4, copy = tma)]
    pub fn tensor_groups(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Blocks that begin somewhere along K.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 4, split_k = 3, copy = tma)]
    pub fn tensor_split(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }
}
