//! Kernels of warpgroups that multiply 8-bit floats, with the scales that they are used with.

use super::prelude::*;

goldens! {
    /// Both kinds, a scale for each row of A and each column of B, and a number of columns that
    /// integers cannot have.
    #[gemm(tile = [128, 72, 128], schedule = cooperative, mma = wgmma, stages = 3)]
    pub fn wgmma_float8(
        a: Mat<e4m3, M, K>,
        b: Mat<e5m2, N, K>,
        scale_a: Vector<f32, M>,
        scale_b: Vector<f32, N>,
    ) -> Mat<bf16, M, N> {
        scale_a * scale_b * matmul(a, b)
    }

    /// From and to 8 bits, a scale for each operand as a whole, and warpgroups that multiply in turn.
    #[gemm(tile = [64, 128, 128], schedule = pingpong, mma = wgmma, stages = 3)]
    pub fn wgmma_float8_scaled(
        a: Mat<e5m2, M, K>,
        b: Mat<e4m3, N, K>,
        bias: Vector<bf16, N>,
        scale_a: f32,
        scale_b: f32,
        scale_out: f32,
    ) -> Mat<e4m3, M, N> {
        relu(scale_a * scale_b * matmul(a, b) + bias) / scale_out
    }
}
