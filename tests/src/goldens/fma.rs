//! Products without tensor cores: register tiles of each lane.

use super::prelude::*;

goldens! {
    /// f32 as it is, everything derived.
    #[gemm(derived)]
    pub fn fma_nt(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// B with N contiguous: one side in vectors along K, the other along N.
    #[gemm(tile = [64, 64, 16], mma = fma(8, 8))]
    pub fn fma_nn(a: Mat<f32, M, K>, b: Mat<f32, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// A with M contiguous too: outer products straight from the rows of a tile.
    #[gemm(tile = [64, 128, 8], mma = fma(8, 8))]
    pub fn fma_tn(a: Mat<f32, K, M>, b: Mat<f32, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The output with M contiguous, an epilogue; the register tile that fits the warps, 8×4.
    #[gemm(tile = [64, 64, 16], warps = [2, 2], stages = 3)]
    pub fn fma_nm(
        a: Mat<f32, M, K>,
        b: Mat<f32, K, N>,
        bias: Vector<f32, N>,
    ) -> Mat<f32, N, M> {
        relu(matmul(a, b) + bias)
    }

    /// The tutorial's SIMT product: halves stored row by row, 16-byte loads through registers.
    #[gemm(
        tile = [64, 128, 64],
        mma = fma(8, 8),
        copy = ld_global(16),
        targets = [sm_75, sm_80, sm_90],
    )]
    pub fn fma_halves(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Several atoms a warp, in bf16.
    #[gemm(tile = [64, 64, 32], warps = [1, 1], mma = fma(4, 4))]
    pub fn fma_brains(a: Mat<bf16, K, M>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// Register tiles that are no power of two: runs of two rows and of one column.
    #[gemm(tile = [48, 80, 24], warps = [2, 2], mma = fma(6, 5))]
    pub fn fma_odd(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// Rows along K that are no power of two, which no swizzle keeps from the same banks.
    #[gemm(
        tile = [64, 64, 12],
        warps = [2, 1],
        mma = fma(8, 8),
        copy = ld_global(16),
        allow(bank_conflicts),
    )]
    pub fn fma_crossing(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, N, M> {
        matmul(a, b)
    }
}
