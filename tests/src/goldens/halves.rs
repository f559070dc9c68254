//! Halves summed in halves.

use super::prelude::*;

goldens! {
    /// Everything else derived.
    #[gemm(derived, acc = f16)]
    pub fn halves(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// The shallower atom, every matrix in its less usual order.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k8, acc = f16, stages = 3)]
    pub fn halves_km_kn_nm(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// More sums than would fit as f32, and a body.
    #[gemm(tile = [192, 160, 32], warps = [2, 2], acc = f16, stages = 3)]
    pub fn halves_large_warps(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        bias: Vector<f16, N>,
    ) -> Mat<f16, M, N> {
        relu(matmul(a, b) + bias)
    }
}
