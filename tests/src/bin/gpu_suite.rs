//! Runs every golden on a GPU at random shapes and checks every element of every output; before
//! that, compares the ownership maps of the MMA atoms with the GPU. With `--specs`, runs random specs of
//! `mma = wgmma` in place of the goldens: those that the tests of the same seed run on the emulator.
//! With `--bits`, runs them on the emulator too, at small shapes, and compares every bit.
//!
//! Needs no files and no Rust: `cargo xtask gpu-tests --build DIR` makes the program to carry.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Parser;
use fastrand::Rng;
use gemm_codegen::{Target, emit};
use gemm_runtime::compile::nvrtc_version;
use gemm_runtime::{Device, EmulatorOptions, Error, Shape};
use gemm_tests::bits::Bits;
use gemm_tests::data::{Alignment, unit};
use gemm_tests::goldens::ALL;
use gemm_tests::judge::Verdict;
use gemm_tests::ownership::{self, Mismatch};
use gemm_tests::random;
use gemm_tests::random::draw::Form;
use gemm_tests::{Golden, Problem};
use indicatif::{ProgressBar, ProgressStyle};

/// Runs every golden kernel on a GPU at random shapes and checks every element.
#[derive(Parser)]
struct Options {
    /// Random shapes for each golden
    #[arg(long, default_value_t = 50)]
    shapes: usize,
    /// Compares every bit with the emulator; shapes are those of a few tiles
    #[arg(long, conflicts_with_all = ["shapes", "max", "skip", "quick"])]
    bits: bool,
    /// Launches of each kernel with `--bits`
    #[arg(long, default_value_t = 8, requires = "bits")]
    launches: usize,
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
    /// Random specs of `mma = wgmma`, this number, in place of the goldens
    #[arg(long, conflicts_with_all = ["golden", "quick"])]
    specs: Option<usize>,
    /// Few small shapes, for compute-sanitizer
    #[arg(long, conflicts_with_all = ["shapes", "max"])]
    quick: bool,
    /// On the emulator: to try the suite itself where there is no GPU
    #[arg(long)]
    emulator: bool,
    /// Goldens at a time: one compiles while another is compared
    #[arg(long, default_value_t = 4)]
    jobs: usize,
    /// Which GPU
    #[arg(long, default_value_t = 0)]
    gpu: usize,
}

fn main() -> ExitCode {
    let mut options = Options::parse();
    if options.quick {
        (options.shapes, options.max) = (6, 300);
    }
    gemm_tests::exit(run(&options).map(|failed| failed == 0))
}

/// Plans of warpgroups whose sums are compared.
const WARPGROUPS: usize = 24;

/// How many goldens failed, and the ownership maps.
fn run(options: &Options) -> Result<usize, Error> {
    let device = if options.emulator {
        // The ownership maps are also of instructions that came with it.
        Device::emulator_with(EmulatorOptions::default().target(Target::Sm90))
    } else {
        Device::gpu(options.gpu)?
    };
    let nvrtc = nvrtc_version()?;
    if options.bits {
        println!("{device}, NVRTC {nvrtc}: bits, seed {}", options.seed);
        return Ok(compare_bits(&device, options));
    }
    if let Some(count) = options.specs {
        println!("{device}, NVRTC {nvrtc}: {count} random specs of wgmma, seed {}", options.seed);
        let spec = |number| check_spec(&device, options.seed, number);
        return Ok(work(options.jobs, count, spec));
    }
    let goldens = goldens(options);
    println!("{device}, NVRTC {nvrtc}: {} shapes up to {} each", options.shapes, options.max);
    let wrong_maps = if options.golden.is_empty() { check_maps(&device)? } else { 0 };
    println!("{:<20} {:>7} {:>14} {:>12}", "golden", "shapes", "relative error", "of limit");

    let golden = |number| {
        let golden: &Golden = goldens[number];
        check(golden, &device, options)
            .map(Some)
            .map_err(|failure| format!("{:<20} FAILED\n{failure}", golden.name))
    };
    Ok(work(options.jobs, goldens.len(), golden) + wrong_maps)
}

/// Does each of `count` pieces of work, some at a time, and prints the lines that they return. How many
/// failed.
fn work(
    jobs: usize,
    count: usize,
    piece: impl Fn(usize) -> Result<Option<String>, String> + Sync,
) -> usize {
    let progress = ProgressBar::new(count as u64);
    progress.set_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} ({eta} left)")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let line = piece(number).unwrap_or_else(|failure| {
                failed.fetch_add(1, Ordering::Relaxed);
                Some(failure)
            });
            if let Some(line) = line {
                progress.suspend(|| println!("{line}"));
            }
            progress.inc(1);
        }
    };
    thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
    progress.finish_and_clear();
    let failed = failed.into_inner();
    let (passed, seconds) = (count - failed, progress.elapsed().as_secs_f64());
    println!("{passed} passed, {failed} failed, {seconds:.0} s");
    failed
}

/// The goldens that were asked for.
fn goldens(options: &Options) -> Vec<&'static Golden> {
    ALL.iter().filter(|golden| golden.name.contains(&options.golden)).collect()
}

/// Compares goldens or random specs with the emulator, bit by bit. How many differ or failed.
fn compare_bits(device: &Device, options: &Options) -> usize {
    let bits = Bits::new(device, options.launches);
    let failed = match options.specs {
        Some(count) => {
            let spec = |number| bits.spec(options.seed, number).map(|()| None);
            work(options.jobs, count, spec)
        }
        None => {
            let goldens = goldens(options);
            let golden = |number: usize| {
                let golden: &Golden = goldens[number];
                bits.golden(golden, seed_of(golden, options)).map(|()| None).map_err(|failure| {
                    let Options { seed, launches, .. } = options;
                    let how =
                        format!("--golden {} --seed {seed} --launches {launches}", golden.name);
                    format!("{failure}  repeat with --bits {how}")
                })
            };
            work(options.jobs, goldens.len(), golden)
        }
    };
    println!("{}", bits.tally());
    failed
}

/// The seed of a golden, so that it can be repeated alone.
fn seed_of(golden: &Golden, options: &Options) -> u64 {
    golden.name.bytes().fold(options.seed, |seed, byte| {
        seed.wrapping_mul(0x100_0000_01b3).wrapping_add(u64::from(byte))
    })
}

/// Launches the spec of this number. A failure says what was drawn.
fn check_spec(device: &Device, seed: u64, number: usize) -> Result<Option<String>, String> {
    let mut rng = random::rng(seed, number);
    let (drawn, plan) = random::legal(&mut rng, Form::Warpgroups, number)
        .ok_or_else(|| format!("spec {number}: none is legal"))?;
    random::launch(device, &mut rng, (&drawn, &plan, &emit(&plan)))
        .map(|()| None)
        .map_err(|failure| format!("spec {number} FAILED\n  {failure}\n{:#?}", drawn.spec))
}

/// Compares the ownership maps with the device: 1 if one is wrong.
fn check_maps(device: &Device) -> Result<usize, Error> {
    let warps = ownership::check(device).map(|done| done.len());
    let groups = ownership::sums::check(device, WARPGROUPS).map(|done| done.len());
    let mut wrong = 0;
    for (what, compared) in [("ownership maps", warps), ("sums of warpgroups", groups)] {
        match compared {
            Ok(count) => println!("{what}: right, by {count} instructions and kernels"),
            Err(Mismatch::Runtime(Error::UnsupportedArchitecture { .. })) => {
                println!("{what}: not compared, this GPU lacks some of the instructions");
            }
            Err(Mismatch::Runtime(error)) => return Err(error),
            Err(mismatch) => {
                println!("{what}: FAILED\n  {mismatch}");
                wrong = 1;
            }
        }
    }
    Ok(wrong)
}

/// Runs one golden at all shapes. Its line of the table, or the first failure and how to see it
/// again.
fn check(golden: &Golden, device: &Device, options: &Options) -> Result<String, String> {
    let mut worst = Verdict::default();
    let of_golden = seed_of(golden, options);
    for skip in options.skip..options.skip + options.shapes {
        // Each shape has a seed of its own, so that it can be repeated alone.
        let mut rng = Rng::with_seed(of_golden.wrapping_add(skip as u64));
        let shape = random_shape(&mut rng, skip, options.max);
        let alignment = Alignment::random(&mut rng);
        let mut problem = Problem::new(device, shape, alignment, rng.u64(..));
        let verdict = (golden.check)(&mut problem).map_err(|failure| {
            let Options { seed, max, .. } = options;
            format!(
                "  {shape:?}, alignment {alignment:?}: {failure}\n  repeat with --golden {} \
                 --seed {seed} --max {max} --skip {skip} --shapes 1",
                golden.name
            )
        })?;
        if worst.limit == 0.0 || verdict.share() > worst.share() {
            worst = verdict;
        }
    }
    let (shapes, error, share) = (options.shapes, worst.relative_error, worst.share() * 100.0);
    Ok(format!("{:<20} {shapes:>7} {error:>14.2e} {share:>10.1} %", golden.name))
}

/// The extents are independent multiples of a unit, and one of the first three shapes has none
/// along K.
fn random_shape(rng: &mut Rng, index: usize, max: usize) -> Shape {
    let unit = unit(rng);
    let mut extent = || rng.usize(1..max.max(2)).next_multiple_of(unit);
    let (m, n, k) = (extent(), extent(), extent());
    let k = if index == 2 { 0 } else { k };
    Shape { m, n, k }
}
