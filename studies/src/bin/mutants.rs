//! Edits the text of goldens, one place at a time, and sees whether the edit is caught.
//!
//! `cargo xtask mutants` runs it in release.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, thread};

use clap::Parser;
use fastrand::Rng;
use gemm_studies::mutants::{
    DEFAULT_GOLDENS, Explained, Mutant, Outcome, Report, Worker, judge_all, mutants, serve,
};
use gemm_tests::{Golden, goldens};
use indicatif::{ProgressBar, ProgressStyle};

/// Edits the text of goldens, one place at a time, and sees whether the edit is caught.
///
/// Fails if a mutant survives and `studies/mutants` does not say why; with all mutants of a golden,
/// also if it explains one that does not survive.
#[derive(Parser)]
struct Options {
    /// Whose text
    #[arg(long, value_name = "NAME", num_args = 1.., default_values_t = DEFAULT_GOLDENS.map(String::from))]
    golden: Vec<String>,
    /// Only this many mutants of each golden, at random
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only mutants whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Mutants at a time; one for each core by default
    #[arg(long)]
    jobs: Option<usize>,
    /// The most seconds for one mutant
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    limit: u64,
    /// Print the names of the mutants and judge none
    #[arg(long)]
    list: bool,
    /// Write what became of each mutant to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Judge the mutants of this golden whose numbers come in; for this program itself
    #[arg(long, value_name = "NAME", hide = true)]
    serve: Option<String>,
}

fn main() -> ExitCode {
    gemm_tests::exit(run(&Options::parse()))
}

/// Whether every survivor is explained.
fn run(options: &Options) -> Result<bool, Box<dyn Error>> {
    if let Some(name) = &options.serve {
        serve(goldens::named(name)?)?;
        return Ok(true);
    }
    let mut report = Report::default();
    let mut complaints = Vec::new();
    for name in &options.golden {
        let golden = goldens::named(name)?;
        let all = mutants(&golden.kernel.text);
        let chosen = choose(&all, options);
        if options.list {
            chosen.iter().for_each(|number| println!("{} {}", golden.name, all[*number].name));
            continue;
        }
        let explained = Explained::of(golden.name)?;
        for (number, outcome) in judge(golden, &all, &chosen, options)? {
            report.add(golden.name, &all[number].name, outcome, &explained);
        }
        complaints.extend(complain(golden, &report, &explained, chosen.len() == all.len()));
    }
    if options.list {
        return Ok(true);
    }
    if let Some(file) = &options.json {
        fs::write(file, serde_json::to_string_pretty(&report)?)?;
    }
    println!("{}", report.markdown());
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    Ok(complaints.is_empty())
}

/// Numbers of the mutants to judge, in order.
fn choose(all: &[Mutant], options: &Options) -> Vec<usize> {
    let mut numbers: Vec<usize> =
        (0..all.len()).filter(|number| all[*number].name.contains(&options.only)).collect();
    if let Some(sample) = options.sample {
        Rng::with_seed(options.seed).shuffle(&mut numbers);
        numbers.truncate(sample);
        numbers.sort_unstable();
    }
    numbers
}

fn judge(
    golden: &'static Golden,
    all: &[Mutant],
    chosen: &[usize],
    options: &Options,
) -> Result<Vec<(usize, Outcome)>, Box<dyn Error>> {
    let worker = Worker {
        program: env::current_exe()?,
        golden: golden.name,
        limit: Duration::from_secs(options.limit),
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let progress = ProgressBar::new(chosen.len() as u64).with_prefix(golden.name);
    progress.set_style(
        ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} ({eta} left)")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let done = |number: usize, outcome: &Outcome| {
        if *outcome == Outcome::Survived {
            progress.suspend(|| println!("survived: {}", all[number].name));
        }
        progress.inc(1);
    };
    let judged = judge_all(&worker, chosen, options.jobs.unwrap_or(cores), &done)?;
    progress.finish_and_clear();
    Ok(judged)
}

/// Survivors without an explanation, and explanations without a survivor.
fn complain(golden: &Golden, report: &Report, explained: &Explained, is_all: bool) -> Vec<String> {
    let unexplained = report.unexplained(golden.name).into_iter();
    let mut complaints: Vec<String> =
        unexplained.map(|name| format!("{} survives, why? '{name}'", golden.name)).collect();
    if is_all {
        let survivors: Vec<&str> =
            report.survivors(golden.name).map(|row| row.mutant.as_str()).collect();
        let others = explained.others(&survivors).into_iter();
        complaints.extend(others.map(|name| format!("{} does not survive: '{name}'", golden.name)));
    }
    complaints
}
