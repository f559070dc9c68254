//! 8-bit integers, their sums as they are, as floats and as 8 bits again.
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused,
    unsafe_code,
    missing_debug_implementations
)]

use gemm_runtime::prelude::*;

/// The sum itself.
#[gemm]
pub fn sums(x: Mat<i8, M, K>, w: Mat<u8, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

/// A layer with 8-bit weights.
#[gemm(mma = m16n8k16)]
pub fn halves(x: Mat<i8, K, M>, w: Mat<i8, K, N>, scale: Vector<f32, N>) -> Mat<f16, N, M> {
    matmul(x, w) as f32 * scale
}

/// 8 bits again.
#[gemm]
pub fn bytes(x: Mat<u8, M, K>, w: Mat<u8, N, K>, bias: Vector<i32, M>) -> Mat<i8, M, N> {
    (matmul(x, w) + bias) / 256
}

pub(super) fn check() {
    let shape = Shape { m: 1, n: 1, k: 2 };
    let sum = sums::reference(shape, &[-128, 127], &[255, 1]);
    assert_eq!(sum.expect("the lengths are right"), [-128 * 255 + 127]);
    let half = halves::reference(shape, &[1, 2], &[3, 4], &[0.5]);
    assert_eq!(half.expect("the lengths are right"), [5.5]);
    let byte = bytes::reference(shape, &[255, 255], &[255, 255], &[-2]);
    assert_eq!(byte.expect("the lengths are right"), [(2 * 255 * 255 - 2) / 256]);
}
