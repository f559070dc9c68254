//! The golden kernels that read scalars from device memory and write into a parameter.

use super::prelude::*;

goldens_in_place! {
    /// The product of BLAS with both factors in device memory.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn axpby_device(
        c: &mut Mat<f32, M, N>,
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        alpha: Scalar<f32>,
        beta: Scalar<f32>,
    ) {
        *c = alpha * matmul(a, b) + beta * *c;
    }
}
