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

/// The ring and the main loop in the text of the kernel.
pub fn main_loop() -> Result<String> {
    let ring = part("// A ring of STAGES stages", "\n};\n")?;
    Ok(ring + "\n" + &part("// acc(BLK_M x BLK_N) +=", "\n}\n")?)
}

/// From a comment to the end of what it is about.
fn part(comment: &str, end: &str) -> Result<String> {
    let source = pipelines::SOURCE;
    let begin = source.find(comment).with_context(|| format!("the text has no `{comment}`"))?;
    let length = source[begin..].find(end).with_context(|| format!("`{comment}` has no end"))?;
    Ok(source[begin..begin + length + end.len()].to_owned())
}
