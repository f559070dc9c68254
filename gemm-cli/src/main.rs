//! `cargo gemm`: lists, shows, checks, reports and tunes the `#[gemm]` functions of a crate.
//!
//! `package` asks cargo for the crate's targets, `files` follows their modules, `find` reads the
//! annotated functions in each file, and `gemm-language` what they declare, as the compiler does.
//! `constants` evaluates the `const` items that a body names. Each command is a file of `command`.

#![forbid(unsafe_code)]

mod command;
mod constants;
mod files;
mod find;
mod functions;
mod mistake;
mod package;
mod print;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// What cargo calls.
#[derive(Parser)]
#[command(name = "cargo", bin_name = "cargo", styles = clap::builder::Styles::styled())]
enum Cargo {
    /// List, show, check, report and tune the `#[gemm]` functions of a crate
    #[command(version)]
    Gemm(Cli),
}

#[derive(Args)]
struct Cli {
    #[command(flatten)]
    package: package::Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The functions with their form and tile, or the schedules of one
    List(command::list::Options),
    /// The plan of a function
    Plan(command::plan::Options),
    /// Write the CUDA C++ text, the PTX and the resources of a kernel to files
    Show(command::show::Options),
    /// Run a kernel on the emulator: every access, race, barrier and output element, with counters.
    /// Exits with 1 if the kernel is wrong, with 2 if it cannot be checked
    ///
    /// Operands are random; constants that the body names have their values of the source, or of
    /// `--constant`, parameters that are scalars those of `--scalar`. NaN and infinities must be those of the reference, which runs on the host; the error
    /// bounds are those of the finite elements.
    Check(command::check::Options),
    /// Write a page of pictures, the source with counters by line, and what was checked: one HTML file.
    /// Exits with 1 if the kernel is wrong
    Report(command::report::Options),
    /// Measure the schedules of a function on a GPU and write the record that `Tuning::load` reads
    Tune(command::tune::Options),
}

fn main() -> ExitCode {
    let Cargo::Gemm(cli) = Cargo::parse();
    match run(&cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether what was asked is right.
fn run(cli: &Cli) -> anyhow::Result<bool> {
    let functions = functions::Functions::read(&cli.package)?;
    match &cli.command {
        Command::List(options) => command::list::run(&functions, options),
        Command::Plan(options) => command::plan::run(&functions, options),
        Command::Show(options) => command::show::run(&functions, options),
        Command::Check(options) => command::check::run(&functions, options),
        Command::Report(options) => command::report::run(&functions, options),
        Command::Tune(options) => command::tune::run(&functions, options),
    }
}
