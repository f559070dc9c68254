//! The build tool of the workspace: `cargo xtask help` lists what it does.
//!
//! It only calls cargo and pip, so that everything it does can be done by hand; each command is
//! echoed before it runs.

mod check_kernel;
mod gpu_tests;
mod nvrtc;
mod workspace;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xshell::cmd;

use workspace::Workspace;

/// Build tool of the workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the examples `quickstart`, `hello_mma`, `global_gemm` and `simt_gemm`: on a GPU if there
    /// is one, otherwise on the emulator
    Demo,
    /// Run every test of the workspace; needs no GPU
    Test {
        /// Instead, run the test of random specs alone, in release, on ten times as many
        #[arg(long)]
        long: bool,
    },
    /// Edit the text of two goldens in one place at a time, and check that each edit that does harm
    /// is caught
    Mutants {
        /// Options of the program `mutants`: `--help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Check a kernel on the emulator and count what it does: `check-kernel --help`
    #[command(disable_help_flag = true)]
    CheckKernel {
        /// What the program takes
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Rewrite every golden: the emitted text, its registers and the expected compile errors
    Bless,
    /// Check format, lints and documentation
    Lint,
    /// Do what CI does: `lint`, then `test`
    Ci,
    /// Fetch the pinned libnvrtc if it is not there yet, and print its folder
    Nvrtc,
    /// Build programs that test a GPU on a machine without Rust
    GpuTests {
        /// Folder that the programs are copied into; made if it does not exist
        #[arg(long, value_name = "DIR")]
        build: PathBuf,
    },
}

fn main() -> ExitCode {
    let Err(error) = run(Cli::parse().task) else { return ExitCode::SUCCESS };
    // Not by returning it from main: where RUST_BACKTRACE is set, that buries the message.
    eprintln!("error: {error:#}");
    ExitCode::FAILURE
}

fn run(task: Task) -> Result<()> {
    let workspace = Workspace::open()?;
    match task {
        Task::Demo => demo(&workspace),
        Task::Test { long: false } => test(&workspace),
        Task::Test { long: true } => test_long(&workspace),
        Task::Mutants { options } => mutants(&workspace, &options),
        Task::CheckKernel { arguments } => check_kernel::run(&workspace, &arguments),
        Task::Bless => bless(&workspace),
        Task::Lint => lint(&workspace),
        Task::Ci => lint(&workspace).and_then(|()| test(&workspace)),
        Task::Nvrtc => {
            println!("{}", nvrtc::pinned(&workspace)?.display());
            Ok(())
        }
        Task::GpuTests { build } => gpu_tests::build(&workspace, &build),
    }
}

fn demo(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    if !nvrtc::is_installed() {
        sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    }
    for example in ["quickstart", "hello_mma", "global_gemm", "simt_gemm"] {
        cmd!(sh, "{cargo} run --release --example {example}").run()?;
    }
    Ok(())
}

/// The pinned libnvrtc, whatever else is installed: registers and spills are compared exactly.
fn test(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    cmd!(sh, "{cargo} test --workspace").run()?;
    Ok(())
}

fn test_long(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    sh.set_var("GEMM_RANDOM_SPECS", "200");
    cmd!(sh, "{cargo} test --release --package gemm-tests --test random_specs").run()?;
    Ok(())
}

fn mutants(workspace: &Workspace, options: &[String]) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    cmd!(sh, "{cargo} run --release --package gemm-tests --bin mutants -- {options...}").run()?;
    Ok(())
}

fn bless(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    sh.set_var("UPDATE_EXPECT", "1");
    sh.set_var("TRYBUILD", "overwrite");
    let tests = ["goldens", "planted_bugs", "support", "forms", "ui", "check_kernel"];
    let tests = tests.map(|name| format!("--test={name}"));
    cmd!(sh, "{cargo} test --package gemm-tests --no-fail-fast {tests...}").run()?;
    cmd!(sh, "git status --short -- tests docs README.md").run()?;
    Ok(())
}

fn lint(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    cmd!(sh, "{cargo} fmt --all --check").run()?;
    cmd!(sh, "{cargo} clippy --workspace --all-targets -- -D warnings").run()?;
    let _deny = sh.push_env("RUSTDOCFLAGS", "-D warnings");
    cmd!(sh, "{cargo} doc --workspace --no-deps").run()?;
    Ok(())
}
