//! A fused epilogue, and the same on the host.

use anyhow::Result;
use gemm_runtime::prelude::*;

use crate::values;

// ANCHOR: kernel
/// y = silu(x · wᵀ + bias) + alpha · residual
#[gemm]
pub fn bodies(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
    residual: Mat<f16, M, N>,
    alpha: f32,
) -> Mat<f16, M, N> {
    silu(matmul(x, w) + bias) + alpha * residual
}
// ANCHOR_END: kernel

// ANCHOR: own
/// Layers with an activation of their own.
#[gemm]
pub mod layers {
    use gemm_runtime::prelude::*;

    /// A leaky ReLU that ends at `limit`.
    pub fn bounded(z: f32, limit: f32) -> f32 {
        let z = if z < 0.0 { damped(z) } else { z };
        z.min(limit)
    }

    fn damped(z: f32) -> f32 {
        0.1 * z
    }

    /// h = bounded(x · wᵀ + bias)
    #[gemm]
    pub fn hidden(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
        bounded(matmul(x, w) + bias, 6.0)
    }

    /// y = bounded(h · wᵀ) + x
    #[gemm]
    pub fn output(h: Mat<f16, M, K>, w: Mat<f16, N, K>, x: Mat<f16, M, N>) -> Mat<f16, M, N> {
        bounded(matmul(h, w), 1.0) + x
    }
}
// ANCHOR_END: own

/// The kernel against its reference.
pub fn run() -> Result<String> {
    let shape = Shape { m: 60, n: 48, k: 72 };
    let (x, w) = (values(shape.m * shape.k), values(shape.n * shape.k));
    let (bias, residual) = (values(shape.n), values(shape.m * shape.n));
    // ANCHOR: check
    let device = Device::auto()?;
    let y = bodies(
        &device,
        &device.matrix(shape.m, shape.k, &x)?,
        &device.matrix(shape.n, shape.k, &w)?,
        &device.vector(&bias)?,
        &device.matrix(shape.m, shape.n, &residual)?,
        0.5,
    )?;
    let expected = bodies::reference(shape, &x, &w, &bias, &residual, 0.5)?;
    let errors = y.to_vec()?.into_iter().zip(expected);
    let largest =
        errors.map(|(y, e)| (y.to_f32() - e).abs() / e.abs().max(1.0)).fold(0.0, f32::max);
    // ANCHOR_END: check
    let rounding = if largest <= 1.0 / 2048.0 { "at most" } else { "more than" };
    Ok(format!("largest relative error: {rounding} 1/2048\n"))
}
