//! Products without tensor cores in place.

use super::prelude::*;

goldens_in_place! {
    /// Transposed tiles of four k, whose columns lie 8 elements further; registers for 16 sums.
    #[gemm(tile = [32, 64, 4], warps = [2, 2], mma = fma(4, 4), stages = 4)]
    pub fn fma_columns_in_place(c: &mut Mat<f32, M, N>, a: Mat<f32, M, K>, b: Mat<f32, N, K>) {
        *c += matmul(a, b);
    }
}
