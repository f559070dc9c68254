//! Checks goldens on the emulator and prints what it found and counted.

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Error, Result};
use clap::Parser;
use gemm_runtime::{Shape, Target};
use gemm_tests::check::{self, Report, parse_shape, parse_target};
use gemm_tests::data::Alignment;
use gemm_tests::{Golden, goldens};

/// Check kernels on the emulator: every access, race, barrier and output element, with counters.
/// Exits with 1 if a kernel is wrong, with 2 if it cannot be checked
#[derive(Parser)]
#[command(name = "cargo xtask check-kernel", bin_name = "cargo xtask check-kernel")]
struct Cli {
    /// The golden, by the name of its function
    #[arg(required_unless_present = "all")]
    name: Option<String>,
    /// Every golden, a line for each
    #[arg(long, conflicts_with = "name")]
    all: bool,
    /// The extents; by default 2 tiles along M and N and 4 along K
    #[arg(long, value_name = "MxNxK", value_parser = parse_shape)]
    shape: Option<Shape>,
    /// What the rows of the operands are aligned to in bytes: 128, 16, 8, 4, 2 or mixed
    #[arg(long, default_value_t = Alignment::LINES)]
    align: Alignment,
    /// Seed of the data and of where it lies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The architecture whose PTX is run; by default sm_80, or the lowest that the kernel is legal on
    #[arg(long, value_parser = parse_target)]
    target: Option<Target>,
    /// Everything as JSON
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether all that was checked is right.
fn run(cli: &Cli) -> Result<bool> {
    let options = check::Options {
        shape: cli.shape,
        alignment: cli.align,
        seed: cli.seed,
        target: cli.target,
        constants: Vec::new(),
    };
    let reports = match &cli.name {
        Some(name) => {
            let golden = goldens::named(name).map_err(Error::msg)?;
            eprintln!("checking {name}: seconds, more for larger shapes");
            vec![check::check(golden, &options)?]
        }
        None => all(&options)?,
    };
    let text = match (cli.json, &*reports) {
        (true, [report]) if !cli.all => serde_json::to_string_pretty(report)? + "\n",
        (true, reports) => serde_json::to_string_pretty(reports)? + "\n",
        (false, [report]) if !cli.all => check::page(report),
        (false, reports) => check::overview(reports),
    };
    // Not print!, which panics when the reader has gone: `| head`.
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    Ok(reports.iter().all(Report::is_right))
}

/// The report of each golden.
fn all(options: &check::Options) -> Result<Vec<Report>> {
    let count = goldens::ALL.len();
    eprintln!("checking {count} goldens: 3 minutes on 2 cores");
    let numbered = (1..).zip(goldens::ALL.iter());
    let report = |(number, golden): (usize, &'static Golden)| {
        eprintln!("{number} of {count}: {}", golden.name);
        check::check(golden, options).context(golden.name)
    };
    numbered.map(report).collect()
}
