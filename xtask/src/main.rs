//! The build tool of the workspace: `cargo xtask help` lists what it does.
//!
//! It only calls cargo and pip, so that everything it does can be done by hand; each command is
//! echoed before it runs.

mod check_kernel;
mod gpu_tests;
mod nvrtc;
mod package;
mod step;
mod test;
mod versions;
mod workspace;

use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xshell::{Shell, cmd};

use test::Compiler;
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
    /// Run the examples `quickstart`, `hello_mma`, `global_gemm` and `simt_gemm`: on a
    /// GPU if there is one, otherwise on the emulator
    Demo,
    /// Run every test; needs no GPU
    Test {
        /// Instead, in release: random specs, ten times as many and other ones each time; every
        /// alignment, target and schedule, where the gate tries some
        #[arg(long)]
        long: bool,
        /// Also do what `lint` does, by a compiler that lints: nothing is compiled twice
        #[arg(long, conflicts_with = "long")]
        lint: bool,
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
    /// Build the book, into `target/book`
    Book,
    /// Check format, lints, documentation and what crates.io would get
    Lint,
    /// Do what CI does: `test --lint`
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
        Task::Test { long: true, .. } => test_long(&workspace),
        Task::Test { lint: true, .. } | Task::Ci => ci(&workspace),
        Task::Test { .. } => test::run(&workspace, Compiler::Rustc),
        Task::Mutants { options } => mutants(&workspace, &options),
        Task::CheckKernel { arguments } => check_kernel::run(&workspace, &arguments),
        Task::Bless => bless(&workspace),
        Task::Book => book(&workspace),
        Task::Lint => lint(&workspace),
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
    step::run("build", "2 minutes, then a second", cmd!(sh, "{cargo} build --release --examples"))?;
    for example in ["quickstart", "hello_mma", "global_gemm", "simt_gemm"] {
        let run = cmd!(sh, "{cargo} run --quiet --release --example {example}");
        step::run(example, "seconds on the emulator", run)?;
    }
    Ok(())
}

fn test_long(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (test_shell(workspace)?, workspace.cargo());
    sh.set_var("GEMM_EVERY_KERNEL", "1");
    sh.set_var("PROPTEST_CASES", "4000");
    let draws = "--release --package gemm-codegen-tests --test codegen".split(' ');
    step::run("specs of any kind", "a minute", cmd!(sh, "{cargo} test {draws...}"))?;
    sh.set_var("GEMM_RANDOM_SPECS", "200");
    sh.set_var("GEMM_RANDOM_WGMMA", "300");
    let seed = RandomState::new().hash_one(0).to_string();
    println!("GEMM_RANDOM_SEED={seed}");
    sh.set_var("GEMM_RANDOM_SEED", seed);
    let specs = "--release --package gemm-tests --test suite random_specs::".split(' ');
    step::run("random specs", "20 minutes", cmd!(sh, "{cargo} test {specs...}"))?;
    let alignments = "--release --package gemm-tests --test suite emulator::".split(' ');
    step::run("goldens at every alignment", "4 minutes", cmd!(sh, "{cargo} test {alignments...}"))?;
    sh.set_var("GEMM_EMULATOR_SEEDS", "20");
    let seeds = "--release --package gemm-tests --test suite interleavings::".split(' ');
    step::run("seeds of the emulator", "2 minutes", cmd!(sh, "{cargo} test {seeds...}"))?;
    versions::test_long(workspace, &sh, &cargo)?;
    let kernels = "--package gemm-runtime-tests --test runtime".split(' ');
    step::run(
        "every kernel among which a launch chooses",
        "3 minutes",
        cmd!(sh, "{cargo} test {kernels...}"),
    )?;
    sh.set_var("GEMM_RECOMPILE", "1");
    let costs = "--package gemm-tests --test suite ptxas::".split(' ');
    step::run("registers of every kernel", "5 minutes", cmd!(sh, "{cargo} test {costs...}"))?;
    let packages = ["--package=bench", "--package=gemm-studies"];
    let studies = cmd!(sh, "{cargo} test --release {packages...}");
    step::run("benchmark and studies", "10 minutes", studies)?;
    let signatures = "--package gemm-candle --test signatures -- --ignored".split(' ');
    let signatures = cmd!(sh, "{cargo} test {signatures...}");
    step::run("errors of rustc with candle", "3 minutes", signatures)?;
    // The cases of wrong functions are compiled so in the gate.
    let without = "--package gemm-runtime --no-default-features".split(' ');
    let clippy = cmd!(sh, "{cargo} clippy {without...} --features {CANDLE} -- -D warnings");
    step::run("clippy without the emulator", "half a minute", clippy)?;
    book(workspace)
}

/// A shell whose tests find the pinned libnvrtc and keep what they compile in `target`, so that a
/// kernel that has not changed is not compiled again.
fn test_shell(workspace: &Workspace) -> Result<Shell> {
    let sh = workspace.shell()?;
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    sh.set_var("GEMM_CACHE_DIR", workspace.root().join("target/kernels"));
    Ok(sh)
}

fn mutants(workspace: &Workspace, options: &[String]) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    cmd!(sh, "{cargo} run --release --package gemm-studies --bin mutants -- {options...}").run()?;
    Ok(())
}

fn bless(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (test_shell(workspace)?, workspace.cargo());
    sh.set_var("UPDATE_EXPECT", "1");
    sh.set_var("TRYBUILD", "overwrite");
    // What is left compares files.
    let others =
        ["bank_conflicts", "derived", "documents", "emulator", "error_bounds", "ownership"];
    let others = others.into_iter().chain(["interleavings", "random_specs", "raster"]);
    let files = "goldens::the_files_are_those_of_the_texts";
    let skip = others.map(|module| format!("--skip={module}::"));
    let skip = skip.chain([format!("--skip={files}")]);
    let tests = cmd!(sh, "{cargo} test --package gemm-tests --test suite -- {skip...}");
    step::run("rewrite", "4 minutes", tests)?;
    let errors = cmd!(sh, "{cargo} test --package gemm-ui-tests");
    step::run("rewrite the errors of rustc", "a minute", errors)?;
    let outputs = cmd!(sh, "{cargo} test --package gemm-book");
    step::run("rewrite what the book shows", "a minute", outputs)?;
    let pictures = cmd!(sh, "{cargo} test --package gemm-pictures");
    step::run("rewrite the pictures", "seconds", pictures)?;
    let texts = ":!tests/goldens/*.cu*";
    cmd!(sh, "git status --short -- tests docs gemm-pictures {texts}").run()?;
    // Last, for it says what changed.
    let texts = cmd!(sh, "{cargo} test --package gemm-tests --test suite -- {files} --exact");
    step::run("rewrite the texts", "seconds", texts)
}

/// The version of mdBook that the book is built with.
const MDBOOK: &str = "0.5.4";

fn book(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    let home = workspace.root().join("target/mdbook");
    let install = "--locked --no-default-features --quiet".split(' ');
    let install = cmd!(sh, "{cargo} install mdbook --version {MDBOOK} --root {home} {install...}");
    step::run("install mdBook", "2 minutes, then a second", install)?;
    let mdbook = home.join("bin/mdbook");
    step::run("build the book", "a second", cmd!(sh, "{mdbook} build docs/book"))
}

/// Features of cudarc as in a program with candle-core and its feature `cuda`. Everything is checked with
/// them, so that dependencies are checked once; the tests are built without them.
const CANDLE: &str =
    "cudarc/cublas,cudarc/cublaslt,cudarc/curand,cudarc/dynamic-linking,cudarc/f16";

/// The macro expands fewer kernels in the checks than in the tests, and nothing runs on the emulator:
/// optimising them takes longer than it saves.
const UNOPTIMISED: [&str; 2] = [
    "--config=profile.dev.package.gemm-codegen.opt-level=0",
    "--config=profile.dev.package.gemm-emulator.opt-level=0",
];

fn lint(workspace: &Workspace) -> Result<()> {
    format(workspace)?;
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    // candle's dependencies take as long as the rest: `ci` has these two.
    let crates = ["--workspace", "--exclude=gemm-candle", "--exclude=gemm-candle-example"];
    // `--all-targets` would check targets of `test = false` as tests too.
    let targets = ["--lib", "--bins", "--tests", "--examples"];
    let clippy = cmd!(
        sh,
        "{cargo} clippy {UNOPTIMISED...} {crates...} {targets...} --features {CANDLE} -- -D warnings"
    );
    step::run("clippy", "2 minutes, then seconds", clippy)?;
    published(workspace, step::run)
}

fn ci(workspace: &Workspace) -> Result<()> {
    format(workspace)?;
    test::run(workspace, Compiler::Clippy)
}

fn format(workspace: &Workspace) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    step::run("format", "a second", cmd!(sh, "{cargo} fmt --all --check"))
}

/// What crates.io and docs.rs would get.
pub(crate) fn published(workspace: &Workspace, run: package::Step) -> Result<()> {
    package::check(workspace, &[&UNOPTIMISED[..], &["--features", CANDLE]].concat(), run)
}
