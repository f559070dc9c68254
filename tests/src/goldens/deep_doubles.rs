//! Double precision by the deeper atoms of sm_90.

use super::prelude::*;

goldens! {
    /// The atom derived from the targets, and everything else.
    #[gemm(derived, targets = [sm_90, sm_100, sm_120])]
    pub fn deep_doubles(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
        matmul(a, b)
    }

    /// The deepest, everything else derived; the targets are those that have it.
    #[gemm(tile = [64, 64, 32], mma = m16n8k16)]
    pub fn deep_doubles_16(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
        matmul(a, b)
    }

    /// The middle one, every matrix in its less usual order, through registers.
    #[gemm(tile = [64, 48, 16], warps = [2, 2], mma = m16n8k8, copy = ld_global(16))]
    pub fn deep_doubles_8(a: Mat<f64, K, M>, b: Mat<f64, K, N>) -> Mat<f64, N, M> {
        matmul(a, b)
    }

    /// The most shallow, one side of each order, extents that are no power of two, an epilogue.
    #[gemm(tile = [96, 40, 12], warps = [3, 1], mma = m16n8k4, copy = cp_async(16, ca), stages = 3)]
    pub fn deep_doubles_4(
        a: Mat<f64, M, K>,
        b: Mat<f64, K, N>,
        bias: Vector<f64, M>,
        alpha: f64,
    ) -> Mat<f64, M, N> {
        alpha * gelu(matmul(a, b) + bias)
    }

    /// Four blocks a tile, each with sums in f64.
    #[gemm(tile = [32, 64, 16], warps = [1, 2], mma = m16n8k16, split_k = 4)]
    pub fn deep_doubles_split(a: Mat<f64, M, K>, b: Mat<f64, K, N>) -> Mat<f64, M, N> {
        matmul(a, b)
    }
}
