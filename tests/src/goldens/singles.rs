//! Single precision, multiplied as tf32.

use super::prelude::*;

goldens! {
    /// Single precision by tf32, everything else derived.
    #[gemm(derived, precision = tf32)]
    pub fn singles(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The same with every matrix in its less usual order.
    #[gemm(tile = [64, 128, 16], warps = [2, 2], precision = tf32, stages = 3)]
    pub fn singles_km_kn_nm(a: Mat<f32, K, M>, b: Mat<f32, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// The shallower atom, one side of each order, an epilogue.
    #[gemm(tile = [64, 64, 12], warps = [2, 2], mma = m16n8k4, precision = tf32, stages = 3)]
    pub fn singles_m16n8k4(
        a: Mat<f32, M, K>,
        b: Mat<f32, K, N>,
        bias: Vector<f32, N>,
    ) -> Mat<bf16, M, N> {
        relu(matmul(a, b) + bias)
    }
}
