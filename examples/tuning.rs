//! The schedule that a launch chooses: by the cost model, by autotuning, and from a committed record.
//!
//! `cargo run --release --example tuning`. A second run measures nothing again. On the emulator
//! nothing is measured, since its time says nothing about a GPU.

use std::time::Instant;

use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, Tuning, launch};

#[gemm]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    gelu(matmul(x, w))
}

/// Output and input features of the layer.
const N: usize = 4096;
const K: usize = 4096;

fn main() -> Result<(), Error> {
    let device = Device::auto()?;
    let measuring = device.clone().with_tuning(Tuning::new());
    println!("device: {device}");
    for tokens in [1, 16, 128] {
        let estimated = tile(&device, tokens)?;
        let start = Instant::now();
        let measured = tile(&measuring, tokens)?;
        let elapsed = start.elapsed();
        println!(
            "{tokens:>4} tokens: {estimated:?} estimated, {measured:?} with tuning, {elapsed:.1?}"
        );
    }

    // Commit this text as a file; a program loads it with `include_str!`.
    let record = measuring.tuning().map(Tuning::record).unwrap_or_default();
    println!("\n{record}");
    let following = device.with_tuning(Tuning::load(&record)?.only_loaded());
    println!("by that record: {:?} for a token", tile(&following, 1)?);
    Ok(())
}

/// The block tile of the schedule that a launch for this number of tokens chooses.
fn tile(device: &Device, tokens: usize) -> Result<[u32; 3], Error> {
    let x = device.zeros::<f16>(tokens, K)?;
    let w = device.zeros::<f16>(N, K)?;
    Ok(launch::choose(device, &linear::KERNELS, &[x.argument(), w.argument()]).launch.block_tile)
}
