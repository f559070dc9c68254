//! `cargo xtask check-kernel`: the program of that name, with the pinned libnvrtc.

use std::ffi::OsString;
use std::process::{self, Command};

use anyhow::{Context as _, Result};
use xshell::cmd;

use crate::workspace::Workspace;
use crate::{nvrtc, step};

/// Builds and runs it, and ends with its exit status, for what it prints says why. Its output may be
/// piped, so what cargo has to say goes to the error stream.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    let program = ["--package", "gemm-tests", "--bin", "check_kernel"];
    let build = cmd!(sh, "{cargo} build {program...}");
    step::run("build check_kernel", "4 minutes on 2 cores, then a second", build)?;
    let run = cmd!(sh, "{cargo} run --quiet {program...} --");
    let status = Command::from(run.args(arguments)).status().context("cannot run cargo")?;
    match status.code() {
        Some(0) => Ok(()),
        code => process::exit(code.unwrap_or(2)),
    }
}
