//! The golden kernels that read scalars from device memory.

use super::prelude::*;

goldens! {
    /// Scalars of each kind, beside one that is passed by value.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn device_scalars(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        alpha: Scalar<f32>,
        shift: Scalar<bf16>,
        power: Scalar<i8>,
        bias: Vector<f32, N>,
        beta: f32,
    ) -> Mat<f32, M, N> {
        let scaled = alpha * matmul(a, b) + beta * bias;
        if power > 0 { scaled + shift } else { scaled - shift }
    }
}
