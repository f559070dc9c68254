//! Kernels of warpgroups that write into a parameter.

use super::prelude::*;

goldens_in_place! {
    /// Blocks that walk over tiles, a number of columns that slabs do not divide, rows of f32.
    #[gemm(tile = [64, 120, 64], schedule = cooperative, mma = wgmma)]
    pub fn wgmma_axpby(
        c: &mut Mat<f32, M, N>,
        a: Mat<bf16, M, K>,
        b: Mat<bf16, N, K>,
        alpha: f32,
        beta: f32,
    ) {
        *c = alpha * matmul(a, b) + beta * *c;
    }
}
