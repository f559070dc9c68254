//! One warp and one `mma.sync`.

use anyhow::{Context as _, Result};
use gemm_runtime::prelude::*;
use gemm_runtime::{AtomMatrix, Fragment, Mma};

// ANCHOR: kernel
/// C(16×8) = A(16×16) · B(16×8): one instruction
#[gemm(tile = [16, 8, 16], warps = [1, 1], mma = m16n8k16)]
pub fn one_warp(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}
// ANCHOR_END: kernel

/// The product of ones, and the lane that holds each element of C.
pub fn run() -> Result<String> {
    let device = Device::auto()?;
    let a = device.matrix(16, 16, &[f16::ONE; 16 * 16])?;
    let b = device.matrix(8, 16, &[f16::ONE; 8 * 16])?;
    let c = one_warp(&device, &a, &b)?.to_vec()?;
    let right = c.iter().filter(|element| **element == 16.0).count();
    let map = Fragment::new(Mma::M16n8k16.shape(), AtomMatrix::C, 32);
    let map = map.context("sums of 32 bits")?;
    Ok(format!("{right} of {} elements are 16.0\n\n{map}", c.len()))
}
