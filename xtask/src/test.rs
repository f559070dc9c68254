//! `cargo xtask test`: what runs after the other and what aside, so that no core is idle.

use std::ffi::OsStr;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Context as _, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::step::{self, Aside};
use crate::workspace::Workspace;
use crate::{nvrtc, published, test_shell, versions};

/// What compiles the crates of the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compiler {
    Rustc,
    /// Clippy's driver, a rustc that also lints: checking everything by `cargo clippy` first takes half as long as building it.
    /// What it builds is kept apart from what rustc builds.
    Clippy,
}

/// What cargo and Clippy's driver read, and the programs that tests start must not.
const DRIVER: &str = "RUSTC_WORKSPACE_WRAPPER";
const LINTS: &str = "CLIPPY_ARGS";

impl Compiler {
    /// The shell, whose cargo compiles by it from now on.
    fn of(self, sh: Shell, workspace: &Workspace) -> Shell {
        if self == Compiler::Clippy {
            sh.set_var(DRIVER, workspace.beside_cargo("clippy-driver"));
            // As `cargo clippy -- -D warnings` passes it.
            sh.set_var(LINTS, "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
        }
        sh
    }

    /// What cargo starts the programs of tests by.
    fn runner(self) -> Option<String> {
        let unset = format!(r#"["env", "-u", "{DRIVER}", "-u", "{LINTS}"]"#);
        (self == Compiler::Clippy).then(|| format!("--config=target.'cfg(all())'.runner={unset}"))
    }
}

/// Tests of the tools that take long, and of nothing that is published: on mutants of their own each time, and on the
/// kernels of the benchmark that are compared with ours or cut. `cargo xtask test --long` has them.
const LONG: [&str; 6] = [
    "a_mutant_of_a_sample_is_caught_or_explained",
    "every_barrier_wait_and_commit_is_needed_or_explained",
    "every_roof_does_its_work_without_a_fault",
    "fused_multiply_adds",
    "no_roof_spills_a_register",
    "what_is_left_spills_no_register",
];

/// Every test but [`LONG`] ones, with the pinned libnvrtc, whatever else is installed: registers and spills are compared
/// exactly.
pub(crate) fn run(workspace: &Workspace, compiler: Compiler) -> Result<()> {
    let cargo = workspace.cargo();
    thread::scope(|scope| {
        // pip needs the network, rustc the cores.
        let oldest =
            scope.spawn(|| nvrtc::pinned(workspace).and_then(|_| versions::fetch(workspace)));
        let sh = compiler.of(workspace.shell()?, workspace);
        let build = cmd!(sh, "{cargo} test --workspace --no-run");
        step::run("build the tests", "5 minutes on 2 cores, then a second", build)?;
        if compiler == Compiler::Clippy {
            // The tests need some of them.
            let build = cmd!(sh, "{cargo} build --workspace --bins --examples");
            step::run("build all programs", "seconds", build)?;
        }
        let oldest = joined(oldest)?;
        let sh = compiler.of(test_shell(workspace)?, workspace);
        // rustc checks its cases one after the other, on one core.
        let cases = "errors_are_as_blessed";
        let (program, folder) = built_test(&sh, &cargo, "gemm-ui-tests")?;
        let plain = test_shell(workspace)?;
        let errors = {
            // As cargo runs it.
            let _folder = plain.push_dir(&folder);
            let errors = cmd!(plain, "{program} {cases}")
                .env("CARGO_MANIFEST_DIR", &folder)
                .env("CARGO_PKG_NAME", "gemm-ui-tests");
            Aside::start("errors of rustc", errors)?
        };
        let (suite, _) = built_test(&sh, &cargo, "gemm-tests")?;
        let oldest = scope.spawn(move || versions::test(&test_shell(workspace)?, oldest, &suite));
        // They wait for one another, so that a core is idle from time to time.
        let packages = scope.spawn(move || match compiler {
            Compiler::Clippy => published(workspace, step::aside),
            Compiler::Rustc => Ok(()),
        });
        let runner = compiler.runner();
        let skip = LONG.map(|test| format!("--skip={test}"));
        let run = cmd!(sh, "{cargo} {runner...} test --workspace -- --skip={cases} {skip...}");
        let rest = step::run("run the tests", "10 minutes on 2 cores, then less", run);
        errors.finish().and(joined(oldest)).and(joined(packages)).and(rest)
    })
}

/// What a thread returns.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// The program of the only test target of a package that is built, and the package's folder. Not run by
/// cargo: for one target alone it would enable other features of dependencies, and build them again.
fn built_test(sh: &Shell, cargo: &OsStr, package: &str) -> Result<(PathBuf, PathBuf)> {
    let format = "--no-run --quiet --message-format=json".split(' ');
    let messages =
        cmd!(sh, "{cargo} test --workspace {format...}").quiet().ignore_stderr().read()?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut found = messages.filter_map(|message| {
        let manifest = PathBuf::from(message["manifest_path"].as_str()?);
        let is_test = message["target"]["kind"][0] == "test";
        // The id leaves out a name that is that of the folder (The Cargo Book, "Package ID Specifications").
        let id = message["package_id"].as_str()?;
        let of_package = ["#", "/"].into_iter().zip(["@", "#"]);
        let mut of_package = of_package.map(|(from, to)| format!("{from}{package}{to}"));
        let of_package = of_package.any(|part| id.contains(&part));
        let program = message["executable"].as_str()?;
        (is_test && of_package).then(|| (PathBuf::from(program), manifest))
    });
    let (program, manifest) = found.next_back().with_context(|| format!("no test of {package}"))?;
    let folder = manifest.parent().context("a manifest is in a folder")?.to_owned();
    Ok((program, folder))
}
