//! Halves in every order of the operands and the output, the schedule derived or nearly so.

use super::prelude::*;

goldens! {
    /// Everything derived.
    #[gemm(derived)]
    pub fn derived(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// B with N contiguous.
    #[gemm(derived)]
    pub fn mk_kn(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// A with M contiguous.
    #[gemm(derived)]
    pub fn km_nk(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// A with M and B with N contiguous.
    #[gemm(derived)]
    pub fn km_kn(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// The output with M contiguous.
    #[gemm(derived)]
    pub fn mk_nk_nm(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, N, M> {
        matmul(a, b)
    }

    /// Every matrix in its less usual order, and an output of f32.
    #[gemm(tile = [64, 128, 32], warps = [2, 2], stages = 3)]
    pub fn km_kn_nm(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }
}
