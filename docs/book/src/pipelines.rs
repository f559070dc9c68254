//! A ring of stages.

use anyhow::{Context as _, Result};
use gemm_runtime::prelude::*;

// ANCHOR: kernel
/// Four k-tiles in shared memory: one is multiplied while three are in flight
#[gemm(tile = [64, 64, 32], warps = [2, 2], copy = cp_async(16, cg), stages = 4)]
pub fn pipelines(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}
// ANCHOR_END: kernel

/// The main loop in the text of the kernel.
pub fn main_loop() -> Result<String> {
    let source = pipelines::SOURCE;
    let begin = source.find("// acc(BLK_M x BLK_N) +=").context("the main loop has a comment")?;
    let length = source[begin..].find("\n}\n").context("the main loop ends")?;
    Ok(source[begin..begin + length + 3].to_owned())
}
