//! Two fused layers, launched into memory that is allocated once.

use anyhow::Result;
use gemm_runtime::prelude::*;

use crate::values;

// ANCHOR: kernel
/// h = gelu(x · w1ᵀ + b1)
#[gemm]
pub fn up(x: Mat<f16, T, D>, w1: Mat<f16, H, D>, b1: Vector<f16, H>) -> Mat<f16, T, H> {
    gelu(matmul(x, w1) + b1)
}

/// y = x + h · w2ᵀ + b2
#[gemm]
pub fn down(
    h: Mat<f16, T, H>,
    w2: Mat<f16, D, H>,
    b2: Vector<f16, D>,
    x: Mat<f16, T, D>,
) -> Mat<f16, T, D> {
    matmul(h, w2) + b2 + x
}
// ANCHOR_END: kernel

/// The MLP against the references of its layers.
pub fn run() -> Result<String> {
    let (tokens, width, hidden) = (8, 32, 128);
    let [x_host, w1_host, w2_host] = [tokens * width, hidden * width, width * hidden].map(values);
    let [b1_host, b2_host] = [hidden, width].map(values);

    let device = Device::auto()?;
    let x = device.matrix(tokens, width, &x_host)?;
    let w1 = device.matrix(hidden, width, &w1_host)?;
    let w2 = device.matrix(width, hidden, &w2_host)?;
    let [b1, b2] = [device.vector(&b1_host)?, device.vector(&b2_host)?];
    // ANCHOR: launch
    let mut h = device.zeros(tokens, hidden)?;
    let mut y = device.zeros(tokens, width)?;
    up::into(&device, &x, &w1, &b1, &mut h)?;
    down::into(&device, &h, &w2, &b2, &x, &mut y)?;
    // ANCHOR_END: launch

    let first = Shape { m: tokens, n: hidden, k: width };
    let h_host = up::reference(first, &x_host, &w1_host, &b1_host)?;
    let h_host: Vec<f16> = h_host.into_iter().map(f16::from_f32).collect();
    let second = Shape { m: tokens, n: width, k: hidden };
    let expected = down::reference(second, &h_host, &w2_host, &b2_host, &x_host)?;
    let right = y.to_vec()?.into_iter().zip(expected);
    let right = right.filter(|(y, e)| (y.to_f32() - e).abs() <= 2e-3 * e.abs().max(1.0)).count();
    Ok(format!("{right} of {} elements agree with the reference\n", tokens * width))
}
