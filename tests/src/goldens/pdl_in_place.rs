//! Kernels that start before their predecessor has ended, and write in place.

use super::prelude::*;

goldens_in_place! {
    /// The first factor is early, its rows along M, by threads that a tile has no whole number of
    /// copies for; blocks share the sums and read the old elements.
    #[gemm(tile = [48, 80, 32], warps = [3, 1], stages = 3, split_k = 3, pdl = [a])]
    pub fn pdl_axpby(
        c: &mut Mat<f16, M, N>,
        a: Mat<f16, K, M>,
        b: Mat<f16, N, K>,
        alpha: f32,
        beta: f32,
    ) {
        *c = alpha * matmul(a, b) + beta * *c;
    }
}
