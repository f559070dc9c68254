//! Kernels that write into a parameter, whose launches read its old elements or do not, as a scalar says.

use super::prelude::*;

goldens_in_place! {
    /// The product of BLAS: where `beta` is 0, `c` is not read.
    #[gemm(tile = [64, 128, 32], warps = [2, 2], stages = 3)]
    pub fn blas(
        c: &mut Mat<f32, M, N>,
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        alpha: f32,
        beta: f32,
    ) {
        let z = alpha * matmul(a, b);
        *c = if beta == 0.0 { z } else { z + beta * *c };
    }

    /// The same on warpgroups, whose copies bring `c` where it is read, and a residual that each launch
    /// reads. `beta` is computed on the device.
    #[gemm(tile = [64, 128, 64], schedule = pingpong, mma = wgmma, stages = 3)]
    pub fn wgmma_blas(
        c: &mut Mat<bf16, M, N>,
        a: Mat<bf16, M, K>,
        b: Mat<bf16, N, K>,
        residual: Mat<bf16, M, N>,
        beta: Scalar<f32>,
    ) {
        let z = matmul(a, b) + residual;
        *c = if beta == 0.0 { z } else { z + beta * *c };
    }
}
