//! Runs every golden on a GPU at random shapes and checks every element of every output.
//!
//! Needs no files and no Rust: `cargo xtask gpu-tests --build DIR` makes the program to carry.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use fastrand::Rng;
use gemm_runtime::{Device, Error, Shape};
use gemm_tests::data::Alignment;
use gemm_tests::goldens::ALL;
use gemm_tests::judge::Verdict;
use gemm_tests::{Failure, Golden, Problem};
use indicatif::{ProgressBar, ProgressStyle};

/// Runs every golden kernel on a GPU at random shapes and checks every element.
#[derive(Parser)]
struct Options {
    /// Random shapes for each golden
    #[arg(long, default_value_t = 50)]
    shapes: usize,
    /// Largest extent of a random shape
    #[arg(long, default_value_t = 3000)]
    max: usize,
    /// Seed of the shapes, the alignments and the data
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Skip this many shapes: with `--shapes 1`, repeat a single one
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Only the goldens whose name contains this
    #[arg(long, default_value = "")]
    golden: String,
    /// Few small shapes, for compute-sanitizer
    #[arg(long, conflicts_with_all = ["shapes", "max"])]
    quick: bool,
    /// On the emulator: to try the suite itself where there is no GPU
    #[arg(long)]
    emulator: bool,
    /// Which GPU
    #[arg(long, default_value_t = 0)]
    gpu: usize,
}

fn main() -> ExitCode {
    let mut options = Options::parse();
    if options.quick {
        (options.shapes, options.max) = (6, 300);
    }
    match run(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How many goldens failed.
fn run(options: &Options) -> Result<usize, Error> {
    let device = if options.emulator { Device::emulator() } else { Device::gpu(options.gpu)? };
    let goldens: Vec<_> = ALL.iter().filter(|g| g.name.contains(&options.golden)).collect();
    println!("{device}: {} shapes up to {} each", options.shapes, options.max);
    println!(
        "{:<20} {:>7} {:>14} {:>12} {:>8}",
        "golden", "shapes", "relative error", "of limit", "time"
    );

    let progress = ProgressBar::new((goldens.len() * options.shapes) as u64);
    progress.set_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} ({eta} left)")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let mut failed = 0;
    for golden in &goldens {
        progress.set_message(golden.name);
        let line = match check(golden, &device, options, &progress) {
            Ok(row) => row.to_string(),
            Err(failure) => {
                failed += 1;
                format!("{:<20} FAILED\n{failure}", golden.name)
            }
        };
        progress.suspend(|| println!("{line}"));
    }
    progress.finish_and_clear();
    println!("{} passed, {failed} failed", goldens.len() - failed);
    Ok(failed)
}

/// A line of the table.
struct Row {
    name: &'static str,
    shapes: usize,
    /// The verdict that was closest to its limit.
    worst: Verdict,
    time: Duration,
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Row { name, shapes, worst, time } = self;
        let (error, share) = (worst.relative_error, worst.share() * 100.0);
        write!(
            f,
            "{name:<20} {shapes:>7} {error:>14.2e} {share:>10.1} % {:>6.1} s",
            time.as_secs_f64()
        )
    }
}

/// A shape at which a golden failed, and how to see it again.
#[derive(Debug, thiserror::Error)]
#[error("  {m}x{n}x{k}, alignment {alignment:?}: {failure}\n  repeat with --golden {golden} --seed {seed} --max {max} --skip {skip} --shapes 1", m = .shape.m, n = .shape.n, k = .shape.k)]
struct FailedShape {
    golden: &'static str,
    shape: Shape,
    alignment: Alignment,
    failure: Failure,
    seed: u64,
    max: usize,
    skip: usize,
}

/// Runs one golden at all shapes, up to the first failure.
fn check(
    golden: &Golden,
    device: &Device,
    options: &Options,
    progress: &ProgressBar,
) -> Result<Row, FailedShape> {
    let start = Instant::now();
    let mut worst = Verdict::default();
    for skip in options.skip..options.skip + options.shapes {
        // Each shape has a seed of its own, so that it can be repeated alone.
        let mut rng = Rng::with_seed(options.seed.rotate_left(32) ^ skip as u64);
        let shape = random_shape(&mut rng, skip, options.max);
        let alignment = Alignment::random(&mut rng);
        let mut problem = Problem::new(device, shape, alignment, rng.u64(..));
        let verdict = (golden.check)(&mut problem).map_err(|failure| {
            let Options { seed, max, .. } = *options;
            FailedShape { golden: golden.name, shape, alignment, failure, seed, max, skip }
        })?;
        if worst.limit == 0.0 || verdict.share() > worst.share() {
            worst = verdict;
        }
        progress.inc(1);
    }
    Ok(Row { name: golden.name, shapes: options.shapes, worst, time: start.elapsed() })
}

/// The extents are independent, and one of the first three shapes has none along K.
fn random_shape(rng: &mut Rng, index: usize, max: usize) -> Shape {
    let mut extent = || rng.usize(1..max.max(2));
    let (m, n, k) = (extent(), extent(), extent());
    Shape { m, n, k: if index == 2 { 0 } else { k } }
}
