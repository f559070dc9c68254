//! `cargo xtask check-kernel`: the program of that name, with the pinned libnvrtc.

use std::ffi::OsString;
use std::process::{self, Command};

use anyhow::{Context as _, Result};
use xshell::cmd;

use crate::nvrtc;
use crate::workspace::Workspace;

/// Runs it and ends with its exit status, for what it prints says why.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    sh.set_var(nvrtc::DIR_VARIABLE, nvrtc::pinned(workspace)?);
    let run = cmd!(sh, "{cargo} run --quiet --package gemm-tests --bin check_kernel --");
    let status = Command::from(run.args(arguments)).status().context("cannot run cargo")?;
    match status.code() {
        Some(0) => Ok(()),
        code => process::exit(code.unwrap_or(2)),
    }
}
