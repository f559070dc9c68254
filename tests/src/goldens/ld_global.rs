//! Copies from global to shared memory through registers.

use super::prelude::*;

goldens! {
    /// Tensor cores of every target: those of sm_75 have no asynchronous copies.
    #[gemm(
        tile = [64, 64, 32],
        warps = [2, 2],
        mma = m16n8k8,
        copy = ld_global(16),
        targets = [sm_75, sm_80, sm_90],
    )]
    pub fn through_registers(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Narrower copies, one of each size, by threads that a tile has no whole number of copies for;
    /// one k-step, and bytes that are transposed in pairs.
    #[gemm(
        tile = [80, 96, 32],
        warps = [1, 3],
        mma = m16n8k32,
        copy(a = ld_global(8), b = ld_global(4)),
    )]
    pub fn through_registers_narrow(a: Mat<u8, M, K>, b: Mat<i8, K, N>) -> Mat<i32, N, M> {
        matmul(a, b)
    }

    /// Everything derived for an architecture without asynchronous copies.
    #[gemm(derived, targets = [sm_75], mma = m16n8k8)]
    pub fn derived_sm_75(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Three k-steps, in f32.
    #[gemm(tile = [64, 64, 24], warps = [2, 2], precision = tf32, copy = ld_global(16))]
    pub fn through_registers_singles(a: Mat<f32, K, M>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }
}
