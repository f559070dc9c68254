//! Kernels that start before their predecessor has ended, with one schedule and with several.
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused,
    unsafe_code,
    missing_debug_implementations
)]

use gemm_runtime::prelude::*;

/// The weights do not wait.
#[gemm(pdl = [r#type], targets = [sm_90, sm_100])]
pub fn raw(x: Mat<f16, M, K>, r#type: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, r#type)
}

/// Each of several schedules waits.
#[gemm(auto, pdl = [w])]
pub fn chosen(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Everything waits.
#[gemm(pdl = [])]
pub fn all(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

pub(super) fn check() {
    assert_eq!(raw::KERNEL.launch.pdl.as_deref(), Some(&[1][..]));
    assert!(chosen::KERNELS.iter().all(|kernel| kernel.launch.pdl.as_deref() == Some(&[1][..])));
    assert_eq!(all::KERNEL.launch.pdl.as_deref(), Some(&[][..]));
    assert!(all::SOURCE.contains("griddepcontrol.wait"));
}
