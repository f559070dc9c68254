//! Compares what the emulator counts with the counters of Nsight Compute: `metrics` prints those to
//! ask for, `run` launches every case on a GPU, to be run under `ncu`, and `table` launches them on
//! the emulator and compares.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use gemm_runtime::{Device, EmulatorOptions};
use gemm_studies::calibration::{cases, compare, ncu};
use gemm_tests::Failure;

/// Compares the emulator's counts with those of Nsight Compute.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Print the metrics that `ncu --metrics` is to collect
    Metrics,
    /// Launch every case once on a GPU
    Run {
        /// On the emulator: to try the cases themselves where there is no GPU
        #[arg(long)]
        emulator: bool,
    },
    /// Compare with what `ncu --csv --page raw` wrote, as Markdown
    Table {
        /// The file that ncu wrote
        csv: PathBuf,
    },
}

fn main() -> ExitCode {
    let done = match Options::parse().task {
        Task::Metrics => Ok(compare::metrics().join(",")),
        Task::Run { emulator } => run(emulator).map_err(|failure| failure.to_string()),
        Task::Table { csv } => table(&csv),
    };
    gemm_tests::exit(done.map(|text| {
        println!("{text}");
        true
    }))
}

/// Without looking for races: lanes of a pattern may write to one place.
fn run(emulator: bool) -> Result<String, Failure> {
    let options = EmulatorOptions::default().races(false);
    let device = if emulator { Device::emulator_with(options) } else { Device::gpu(0)? };
    let cases = cases();
    cases.iter().try_for_each(|case| case.launch(&device))?;
    Ok(format!("{} launches", cases.len()))
}

fn table(csv: &Path) -> Result<String, String> {
    let launches = ncu::read(csv).map_err(|error| format!("{}: {error}", csv.display()))?;
    compare::table(&launches)
}
