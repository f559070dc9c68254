//! Double precision without tensor cores.

use super::prelude::*;

goldens! {
    /// Everything derived: vectors of two along K on both sides.
    #[gemm(derived, mma = fma(8, 8))]
    pub fn fma_doubles_nt(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
        matmul(a, b)
    }

    /// Outer products straight from the rows of a tile, on every architecture.
    #[gemm(
        tile = [64, 128, 8],
        mma = fma(8, 8),
        copy = ld_global(16),
        targets = [sm_75, sm_80, sm_90],
    )]
    pub fn fma_doubles_tn(a: Mat<f64, K, M>, b: Mat<f64, K, N>) -> Mat<f64, M, N> {
        matmul(a, b)
    }

    /// One side of each order, the output with M contiguous, several atoms a warp, an epilogue.
    #[gemm(tile = [64, 64, 16], warps = [2, 2], mma = fma(4, 4), stages = 3)]
    pub fn fma_doubles_nm(
        a: Mat<f64, M, K>,
        b: Mat<f64, K, N>,
        bias: Vector<f64, N>,
        alpha: f64,
    ) -> Mat<f64, N, M> {
        alpha * relu(matmul(a, b) + bias)
    }

    /// Register tiles that are no power of two, K of a tile that is odd, copies of one element.
    #[gemm(
        tile = [24, 120, 15],
        warps = [1, 3],
        mma = fma(6, 5),
        copy = cp_async(8, ca),
        allow(bank_conflicts),
    )]
    pub fn fma_doubles_odd(a: Mat<f64, K, M>, b: Mat<f64, N, K>) -> Mat<f64, N, M> {
        matmul(a, b)
    }
}
