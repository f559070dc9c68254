//! K split among blocks that share a tile of what is written in place.

use super::prelude::*;

goldens_in_place! {
    /// The old elements are read by the block that adds up the sums, and by no other.
    #[gemm(tile = [64, 48, 32], warps = [2, 1], stages = 3, split_k = 5)]
    pub fn split_axpby(
        c: &mut Mat<bf16, M, N>,
        a: Mat<f16, K, M>,
        b: Mat<f16, N, K>,
        alpha: f32,
        beta: f32,
    ) {
        *c = alpha * matmul(a, b) + beta * *c;
    }
}
