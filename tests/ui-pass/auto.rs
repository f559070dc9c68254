//! Several schedules behind one function, in a crate that denies what it can.
#![deny(warnings, missing_docs, unreachable_pub, unused, unsafe_code, missing_debug_implementations)]

use gemm_runtime::prelude::*;

/// Chosen by shape.
#[gemm(auto, targets = [sm_80, sm_90])]
pub fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

fn main() {
    assert!(linear::KERNELS.iter().count() > 1);
    assert_eq!(*linear::KERNELS.first(), linear::KERNEL);
}
