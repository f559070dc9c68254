//! Measures emitted kernels against cuBLASLt on the GPU of this machine.
//!
//! `cargo run --release -p bench -- squares`

mod algorithms;
mod arena;
mod bare;
mod cublas;
mod gpu;
mod nodes;
mod operands;
mod others;
mod report;
mod roofs;
mod suite;
mod task;
mod timing;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Parser;
use gemm_runtime::compile::nvrtc_version;

use crate::arena::Arena;
use crate::report::Report;
use crate::suite::Suite;
use crate::timing::Clock;

/// Measures emitted kernels against cuBLASLt, in one process and interleaved.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    suite: Suite,
    /// Rounds of measurements; each measures all in turns.
    #[arg(long, global = true, default_value_t = 15)]
    rounds: usize,
    /// How warm the GPU is when it is timed.
    #[arg(long, global = true, value_enum, default_value_t = Clock::Sustained)]
    clock: Clock,
    /// Measure only these kernels of ours; all if left out.
    #[arg(long, global = true, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    /// Write the figures to this file.
    #[arg(long, global = true, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the ratios to this SVG file.
    #[arg(long, global = true, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Replace the ratios of the suite in this Markdown file, between the lines `<!-- bench SUITE -->` and
    /// `<!-- end -->`.
    #[arg(long, global = true, value_name = "FILE")]
    document: Option<PathBuf>,
    /// Take the figures from this file, which `--json` has written, in place of measuring: needs no GPU.
    #[arg(long, global = true, value_name = "FILE")]
    from: Option<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let Some(from) = &arguments.from else { return measure(arguments) };
    let report = Report::read_json(from)?;
    let suite = arguments.suite.name();
    ensure!(report.suite == suite, "{} has figures of {}", from.display(), report.suite);
    show(&report, &arguments)
}

/// Measures a suite, and shows what was found.
fn measure(arguments: Arguments) -> Result<()> {
    let Arguments { suite, rounds, clock, only, .. } = &arguments;
    let arena = Arena::new(*clock, *rounds, only.clone())?;
    let report = Report {
        suite: suite.name().into(),
        peer: suite.peer().into(),
        device: arena.device.to_string(),
        nvrtc: nvrtc_version()?.to_string(),
        clock: *clock,
        rounds: *rounds,
        rows: suite.run(&arena)?,
    };
    if !report.rows.is_empty() {
        show(&report, &arguments)?;
    }
    let failures = arena.failures();
    ensure!(failures == 0, "{failures} measurements failed");
    let has_spoken = suite.speaks_for_itself() || !report.rows.is_empty();
    ensure!(has_spoken, "no kernel of {} has a name that `--only` gives", report.suite);
    Ok(())
}

/// Prints a report, and writes it to the files that were asked for.
fn show(report: &Report, arguments: &Arguments) -> Result<()> {
    let Report { device, nvrtc, clock, rounds, peer, .. } = report;
    println!("{device}, NVRTC {nvrtc}, {clock:?}, {rounds} rounds\n");
    println!("{}", report.table());
    for summary in report.summaries() {
        println!("{}", summary.line(peer));
    }
    let Arguments { json, chart, document, .. } = arguments;
    json.as_ref().map_or(Ok(()), |path| report.write_json(path))?;
    chart.as_ref().map_or(Ok(()), |path| report.write_chart(path))?;
    document.as_ref().map_or(Ok(()), |path| report.write_document(path))
}
