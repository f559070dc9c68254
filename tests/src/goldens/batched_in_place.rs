//! The golden kernels that write into a batch.

use super::prelude::*;

goldens_in_place! {
    /// The strided batched product of BLAS, with a vector for each matrix.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn batched_axpby(
        c: &mut Batched<f32, B, M, N>,
        a: Batched<f16, B, K, M>,
        b: Batched<f16, B, N, K>,
        bias: Batched<f16, B, N>,
        alpha: f32,
        beta: f32,
    ) {
        *c = alpha * matmul(a, b) + beta * *c + bias;
    }
}
