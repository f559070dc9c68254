//! Several schedules of one function.
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused,
    unsafe_code,
    missing_debug_implementations
)]

use gemm_runtime::prelude::*;

/// Chosen by shape.
#[gemm(auto, targets = [sm_80, sm_90])]
pub fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

/// Chosen by shape too: nothing fixes a schedule.
#[gemm]
pub fn bare(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// One schedule.
#[gemm(derived)]
pub fn one(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

pub(super) fn check() {
    assert_eq!(*bare::KERNELS.first(), bare::KERNEL);
    assert!(bare::KERNELS.choices().count() > 10);
    assert_eq!(one::SOURCE.lines().count(), bare::SOURCE.lines().count());
    assert!(linear::KERNELS.choices().count() > 1);
    assert_eq!(*linear::KERNELS.first(), linear::KERNEL);
}
