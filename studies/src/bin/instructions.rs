//! Runs single instructions on a GPU and on the emulator and compares every bit of the results.

use std::process::ExitCode;

use clap::Parser;
use gemm_codegen::Target;
use gemm_runtime::{Device, EmulatorOptions, Error, f16};
use gemm_tests::instructions::{Instruction, Meaning, all};

/// Runs single instructions on a GPU and on the emulator and compares the results.
#[derive(Parser)]
struct Options {
    /// Warps that execute each instruction on inputs of their own
    #[arg(long, default_value_t = 256)]
    warps: usize,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare the emulator with itself: to try the program where there is no GPU
    #[arg(long)]
    emulator: bool,
}

fn main() -> ExitCode {
    gemm_tests::exit(run(&Options::parse()))
}

/// Whether all bits agree where they must.
fn run(options: &Options) -> Result<bool, Error> {
    let emulator = || Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
    let judge = emulator();
    let device = if options.emulator { emulator() } else { Device::gpu(0)? };
    println!(
        "| instruction | results | equal | largest difference |\n| --- | ---: | ---: | ---: |"
    );
    let mut agree = true;
    for instruction in all() {
        let got = instruction.run(&device, options.warps, options.seed)?;
        let expected = instruction.run(&judge, options.warps, options.seed)?;
        let (results, equal, worst) = compare(&instruction, &got, &expected);
        let worst_text = if worst == 0.0 { String::new() } else { format!("{worst:.1e}") };
        let example = got.iter().zip(&expected).find(|(got, expected)| got != expected);
        let example = example.map_or_else(String::new, |(got, expected)| {
            format!("{got:#010x}, emulator {expected:#010x}")
        });
        println!("| `{}` | {results} | {equal} | {worst_text} | {example} |", instruction.opcode);
        agree &= equal == results || instruction.meaning != Meaning::Bits;
    }
    Ok(agree)
}

/// How many results there are, how many are equal, and the largest difference of the others.
fn compare(instruction: &Instruction, got: &[u32], expected: &[u32]) -> (usize, usize, f64) {
    let values = |words: &[u32]| -> Vec<f64> {
        let half = |bits: u32| f16::from_bits(bits as u16).to_f64();
        match instruction.meaning {
            Meaning::Bits => words.iter().map(|word| f64::from(*word)).collect(),
            Meaning::F32 => words.iter().map(|word| f64::from(f32::from_bits(*word))).collect(),
            Meaning::F16 => words.iter().flat_map(|word| [half(*word), half(word >> 16)]).collect(),
            Meaning::F64 => {
                let pairs = words.as_chunks::<2>().0.iter();
                pairs
                    .map(|[low, high]| f64::from_bits(u64::from(*high) << 32 | u64::from(*low)))
                    .collect()
            }
        }
    };
    let (got, expected) = (values(got), values(expected));
    let differences = got.iter().zip(&expected).map(|(got, expected)| (got - expected).abs());
    let unequal: Vec<f64> = differences.filter(|difference| *difference != 0.0).collect();
    let worst = unequal.iter().copied().fold(0.0, f64::max);
    (got.len(), got.len() - unequal.len(), worst)
}
