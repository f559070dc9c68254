//! Several products, each stored to an output of its own.

use super::prelude::*;

goldens_of_several! {
    /// The projections of an attention layer, by warps.
    #[gemm(tile = [64, 96, 32], warps = [2, 2], mma = m16n8k16, copy = cp_async(16, cg))]
    pub fn projections(
        x: Mat<f16, M, K>,
        q: Mat<f16, N, K>,
        k: Mat<f16, N, K>,
        v: Mat<f16, N, K>,
    ) -> (0: Mat<f16, M, N>, 1: Mat<f16, M, N>, 2: Mat<f16, M, N>) {
        (matmul(x, q), matmul(x, k), matmul(x, v))
    }

    /// The same by warpgroups.
    #[gemm(tile = [128, 192, 64], warpgroups = [2, 1], mma = wgmma)]
    pub fn wgmma_projections(
        x: Mat<bf16, M, K>,
        q: Mat<bf16, N, K>,
        k: Mat<bf16, N, K>,
        v: Mat<bf16, N, K>,
    ) -> (0: Mat<bf16, M, N>, 1: Mat<bf16, M, N>, 2: Mat<f32, M, N>) {
        (matmul(x, q), matmul(x, k), matmul(x, v))
    }
}
