//! The time until a kernel can be launched, in fresh processes: compiled, and from the disk cache.

use std::borrow::Cow;
use std::process::Command;
use std::time::Instant;
use std::{env, str};

use anyhow::{Context as _, Result, ensure};
use gemm_runtime::prelude::*;
use gemm_runtime::{Kernel, launch};
use indicatif::ProgressBar;

use crate::arena::Arena;
use crate::report::{Row, Versus};
use crate::timing::Ratio;

/// Everything derived.
#[gemm(derived)]
fn derived(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Kernels of each measurement; the median counts.
const KERNELS: usize = 9;

/// The disk cache against the compiler.
pub(super) fn run() -> Result<Vec<Row>> {
    let mut compiled = Vec::new();
    let mut cached = Vec::new();
    let progress = ProgressBar::new(KERNELS as u64);
    for _ in 0..KERNELS {
        let salt = fastrand::u64(..).to_string();
        compiled.push(in_a_process(&salt)?);
        cached.push(in_a_process(&salt)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let ratios = compiled.iter().zip(&cached).map(|(slow, fast)| slow / fast).collect();
    for list in [&mut compiled, &mut cached] {
        list.sort_by(f64::total_cmp);
    }
    let ours_us = cached[KERNELS / 2];
    Ok(vec![Row {
        peer: Some(Versus { peers_us: compiled[KERNELS / 2], ratio: Ratio::of(ratios) }),
        ..Row::new("ready to launch", "from the disk cache", ours_us)
    }])
}

/// Microseconds until a new process has the kernel of this salt.
fn in_a_process(salt: &str) -> Result<f64> {
    let output = Command::new(env::current_exe()?).args(["jit-once", salt]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = str::from_utf8(&output.stdout)?.trim();
    text.parse().with_context(|| format!("a process printed `{text}`"))
}

/// Prints the microseconds from the text to a loaded kernel.
pub(super) fn once(arena: &Arena, salt: &str) -> Result<()> {
    // Another text, for NVRTC too, which keeps what it compiled and looks past comments: ours knows
    // it from the last process alone.
    let text = format!("{}__device__ unsigned long long salt = {salt}ull;\n", derived::SOURCE);
    let kernel = Kernel { text: Cow::Owned(text), ..derived::KERNEL.clone() };
    let start = Instant::now();
    launch::report(&arena.device, &kernel)?;
    println!("{}", start.elapsed().as_secs_f64() * 1e6);
    Ok(())
}
