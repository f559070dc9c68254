//! Bank conflicts, counted with and without a swizzle.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use gemm_runtime::EmulatorOptions;
use gemm_runtime::prelude::*;

use crate::values;

// ANCHOR: kernel
/// Rows of 64 bytes as they are: the same chunks of four rows share banks
#[gemm(
    tile    = [64, 64, 32],
    warps   = [2, 2],
    stages  = 2,
    swizzle = [0, 3, 3],
    allow(bank_conflicts)
)]
pub fn plain(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Two bits of the row are XORed into the number of the chunk
#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 2, swizzle = [2, 3, 3])]
pub fn swizzled(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}
// ANCHOR_END: kernel

/// The bank conflicts of both, as the emulator counts them.
pub fn run() -> Result<String> {
    let device = Device::emulator_with(EmulatorOptions::default().profile(true));
    let a = device.matrix(64, 64, &values(64 * 64))?;
    let b = device.matrix(64, 64, &values(64 * 64))?;
    let mut text = format!("{:<10}{:>12}{:>22}\n", "kernel", "wavefronts", "more than necessary");
    for (name, kernel) in [("plain", plain as fn(_, _, _) -> _), ("swizzled", swizzled)] {
        kernel(&device, &a, &b)?;
        let profile = device.last_profile().context("a launch was profiled")?;
        let counts = profile.statistics.profile.as_ref().context("it was counted")?;
        let shared = counts.total().shared;
        writeln!(text, "{name:<10}{:>12}{:>22}", shared.wavefronts, shared.conflicts())?;
    }
    Ok(text)
}
