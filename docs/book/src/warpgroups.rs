//! Warpgroups, tensor copies and persistent blocks.

use std::fmt::Write as _;

use anyhow::Result;
use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Target};

use crate::values;

// ANCHOR: kernel
/// Two warpgroups multiply, a third copies; blocks walk over tiles
#[gemm(
    tile       = [128, 64, 64],
    warpgroups = [2, 1],
    mma        = wgmma,
    copy       = tma,
    stages     = 4,
    schedule   = cooperative,
    targets    = [sm_90a],
)]
pub fn warpgroups(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}
// ANCHOR_END: kernel

/// The kernel in several orders of its warps and copies.
pub fn run() -> Result<String> {
    let shape = Shape { m: 200, n: 96, k: 160 };
    let (a, b) = (values(shape.m * shape.k), values(shape.n * shape.k));
    let expected = warpgroups::reference(shape, &a, &b)?;
    let mut text = String::new();
    for seed in 1..4 {
        let options = EmulatorOptions::default().target(Target::Sm90a).seed(seed);
        let device = Device::emulator_with(options);
        let [a, b] = [device.matrix(shape.m, shape.k, &a)?, device.matrix(shape.n, shape.k, &b)?];
        let c = warpgroups(&device, &a, &b)?.to_vec()?;
        let wrong = c.iter().zip(&expected).filter(|(c, e)| (*c - *e).abs() > 1e-3).count();
        writeln!(text, "seed {seed}: {wrong} of {} elements are wrong", c.len())?;
    }
    Ok(text)
}
