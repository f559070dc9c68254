//! Tensor copies, with every key that is legal with them.
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused,
    unsafe_code,
    missing_debug_implementations
)]

use gemm_runtime::prelude::*;

/// Everything.
#[gemm(
    tile = [64, 128, 64],
    warps = [2, 2],
    mma = m16n8k16,
    acc = f32,
    copy(a = tma, b = tma),
    swizzle = [3, 3, 3],
    stages = 3,
    raster = along_m(8),
    split_k = 2,
    targets = [sm_90, sm_100],
)]
pub fn everything(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
    residual: Mat<f32, M, N>,
    alpha: f32,
) -> Mat<f32, N, M> {
    gelu(alpha * matmul(x, w) + bias) + residual
}

/// Everything derived.
#[gemm(copy = tma)]
pub fn derived(x: Mat<i8, M, K>, w: Mat<i8, N, K>, c: &mut Mat<i32, M, N>) {
    *c += matmul(x, w);
}

/// Warps along K.
#[gemm(tile = [32, 64, 256], warps = [1, 2, 4], stages = 4, copy = tma)]
pub fn groups(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Several schedules.
#[gemm(auto, copy(b = tma))]
pub fn chosen(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

pub(super) fn check() {
    let shape = Shape { m: 1, n: 1, k: 1 };
    let one = [f16::ONE];
    let y = everything::reference(shape, &one, &one, &[f16::ZERO], &[2.0], 0.0);
    assert_eq!(y.expect("the lengths are right"), [2.0]);
    assert_eq!(derived::reference(shape, &[3], &[4], &[5]).expect("they are"), [17]);
    for source in [everything::SOURCE, derived::SOURCE, groups::SOURCE, chosen::SOURCE] {
        assert!(source.contains("const __grid_constant__ TensorMap x"));
    }
    assert!(chosen::KERNELS.iter().count() > 1);
}
