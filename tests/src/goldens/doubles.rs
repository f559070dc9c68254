//! Double precision.

use super::prelude::*;

goldens! {
    /// Double precision, everything derived.
    #[gemm(derived)]
    pub fn doubles(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
        matmul(a, b)
    }

    /// The same with every matrix in its less usual order.
    #[gemm(tile = [64, 64, 16], warps = [2, 2], stages = 3)]
    pub fn doubles_km_kn_nm(a: Mat<f64, K, M>, b: Mat<f64, K, N>) -> Mat<f64, N, M> {
        matmul(a, b)
    }

    /// No extent a power of two, one side of each order, copies of one element, an epilogue.
    #[gemm(
        tile = [40, 48, 12],
        warps = [1, 3],
        copy(a = cp_async(8, ca), b = cp_async(16, cg)),
        stages = 3,
    )]
    pub fn doubles_epilogue(
        a: Mat<f64, M, K>,
        b: Mat<f64, K, N>,
        previous: Mat<f64, N, M>,
        bias: Vector<f64, N>,
        alpha: f64,
        beta: f64,
    ) -> Mat<f64, M, N> {
        alpha * silu(matmul(a, b) + bias) + beta * previous.powi(2).mul_add(0.1, -1.0)
    }

    /// Through registers, to be stored as singles.
    #[gemm(tile = [32, 64, 8], warps = [1, 2], copy = ld_global(16))]
    pub fn doubles_through_registers(
        a: Mat<f64, K, M>,
        b: Mat<f64, N, K>,
        scale: Vector<f32, M>,
    ) -> Mat<f32, M, N> {
        matmul(a, b) as f32 * scale
    }

    /// Halves, whose product a body of f64 takes on: what is f32 stays so until it is cast.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn widened(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        gate: Mat<f32, N, M>,
        bias: Vector<f64, N>,
        alpha: f64,
    ) -> Mat<f64, M, N> {
        let limit: f64 = 3.0;
        let sum = (matmul(a, b) * 0.5) as f64;
        if gate > 0.25 { (alpha * sum).clamp(-limit, limit) } else { gelu(sum + bias) * 0.1 }
    }
}
