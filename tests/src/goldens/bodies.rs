//! What a body can do with the sums, and what it can read.

use super::prelude::*;

goldens! {
    /// A linear layer.
    #[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
    pub fn linear_gelu(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        bias: Vector<f16, N>,
    ) -> Mat<f16, M, N> {
        gelu(matmul(x, w) + bias)
    }

    /// Both vectors, an elementwise matrix and scalars.
    #[gemm(tile = [64, 128, 32], warps = [2, 2], stages = 3)]
    pub fn residual(
        a: Mat<bf16, M, K>,
        b: Mat<bf16, K, N>,
        scale: Vector<f32, M>,
        bias: Vector<bf16, N>,
        previous: Mat<bf16, M, N>,
        alpha: f32,
        beta: f32,
    ) -> Mat<bf16, M, N> {
        alpha * scale * silu(matmul(a, b) + bias) + beta * previous
    }

    /// Branches, bindings, casts and methods; an elementwise matrix in the other order than the
    /// output. What is decided by is exact, so that both sides take the same branch.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn branches(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        gate: Mat<f16, N, M>,
        power: i32,
    ) -> Mat<f32, M, N> {
        let sum = matmul(a, b);
        let bounded = sum.clamp(-4.0, 4.0) / 4.0;
        if gate > 0.5 && (gate < 0.9 || power <= 0) {
            bounded.powi(2).mul_add(gate, -1.0) * power as f32
        } else {
            relu(-bounded) + (sum * 0.25).tanh()
        }
    }
}
