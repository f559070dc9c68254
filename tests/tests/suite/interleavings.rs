//! Runs the goldens that wait for mbarriers with several seeds, by which the emulator interleaves their
//! warps and completes their asynchronous work: a tile that fills each stage of the ring a third time,
//! and a few shallow ones. `cargo xtask test --long` runs all goldens so.
//!
//! `GEMM_EMULATOR_SEEDS` is the number of seeds, 2 by default.

use std::env;

use gemm_runtime::{Device, Shape};
use gemm_tests::cases::{deep_enough, slow, tries_every_kernel};
use gemm_tests::data::Alignment;
use gemm_tests::{Golden, Problem, goldens};
use libtest_mimic::Failed;

use crate::Test;

/// Seeds of the gate.
const SEEDS: u64 = 2;

pub(crate) fn tests() -> Vec<Test> {
    let seeds = env::var("GEMM_EMULATOR_SEEDS").map_or(SEEDS, |text| {
        text.parse().unwrap_or_else(|error| panic!("GEMM_EMULATOR_SEEDS={text}: {error}"))
    });
    let waits = |golden: &&Golden| golden.kernel.footprint.form.copies_tensors();
    let all = goldens::ALL.iter().filter(|golden| tries_every_kernel() || waits(golden));
    all.map(|golden| Test::new(golden.name, move || run(golden, seeds))).collect()
}

fn run(golden: &'static Golden, seeds: u64) -> Result<(), Failed> {
    // The emulator mixes in the number of a block, so that neighbours would share most runs.
    for seed in (0..seeds).map(|seed| seed << 32) {
        let device = Device::emulator_with(slow().seed(seed));
        for shape in shapes(golden) {
            let mut problem = Problem::new(&device, shape, Alignment::Bytes(16), seed);
            (golden.check)(&mut problem)
                .map_err(|failure| format!("seed {seed}, {shape:?}: {failure}"))?;
        }
    }
    Ok(())
}

/// A deep tile, and two by two shallow ones: less than a ring each.
fn shapes(golden: &Golden) -> [Shape; 2] {
    let launch = &golden.kernel.launch;
    let [m, n, k] = launch.block_tile.map(|extent| extent as usize);
    let stages = golden.kernel.footprint.stages as usize;
    let depth = |k| deep_enough(k, launch.split_k, launch.block_tile[2] as usize);
    [
        Shape { m: 8, n: 16, k: depth((2 * stages + 1) * k) },
        Shape { m: m + 16, n: n + 16, k: depth(k + 16) },
    ]
}
