//! Every key, operand and construct of a body at once.
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused,
    unsafe_code,
    missing_debug_implementations
)]
#![allow(clippy::neg_cmp_op_on_partial_ord, clippy::manual_clamp, reason = "a body may have both")]

use gemm_runtime::prelude::*;

/// Everything.
#[gemm(
    tile = [64, 128, 32],
    warps = [2, 2],
    mma = m16n8k16,
    copy(a = cp_async(16, cg, evict_first), b = cp_async(8, ca)),
    swizzle(a = [2, 3, 3], b = [2, 3, 3]),
    stages = 3,
    raster = along_m(8),
    split_k = 2,
    targets = [sm_80, sm_86, sm_90],
    allow(bank_conflicts),
)]
pub fn everything(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
    scale: Vector<f32, M>,
    residual: Mat<bf16, M, N>,
    alpha: f32,
    mode: i32,
) -> Mat<f32, M, N> {
    let y: f32 = alpha * matmul(x, w) * scale + bias;
    let y = if mode == 1 && !(alpha < 0.0) {
        gelu(y)
    } else if mode == 2 {
        leaky_relu(y, 0.01)
    } else {
        y.max(-1.0f32).min(1.0)
    };
    y + residual * (mode as f32)
}

pub(super) fn check() {
    let shape = Shape { m: 1, n: 1, k: 1 };
    let one = [f16::ONE];
    let y = everything::reference(shape, &one, &one, &one, &[2.0], &[bf16::ONE], 1.0, 0);
    assert_eq!(y.expect("the lengths are right"), [1.0]);
    assert!(everything::SOURCE.contains(&*everything::KERNEL.entry));
    assert!(everything::PLAN.contains('|'));
}
