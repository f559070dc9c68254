//! K split where sums have 64 bits.

use super::prelude::*;

goldens! {
    /// Atoms of 16 bytes a lane, and an epilogue that is applied once.
    #[gemm(tile = [24, 48, 8], warps = [1, 1], stages = 3, split_k = 3)]
    pub fn split_doubles(
        a: Mat<f64, M, K>,
        b: Mat<f64, K, N>,
        bias: Vector<f64, N>,
        alpha: f64,
    ) -> Mat<f64, N, M> {
        alpha * matmul(a, b) + bias
    }

    /// Register tiles with sums that are no whole number of words of 16 bytes, on every architecture.
    #[gemm(
        tile = [12, 24, 8],
        warps = [1, 1],
        mma = fma(3, 3),
        copy = ld_global(8),
        allow(bank_conflicts),
        split_k = 2,
        targets = [sm_75, sm_80],
    )]
    pub fn split_fma_doubles(a: Mat<f64, K, M>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
        matmul(a, b)
    }
}
