//! The tests of the NVRTC versions: a process opens one, so they are run once with each.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::nvrtc::{self, Wheel};
use crate::step;
use crate::workspace::Workspace;

/// The oldest NVRTC that is supported, and the last one before and the first one since each version that
/// compiles more (`PtxFeature` in gemm-codegen) of those that are published.
const OLDER: [Wheel; 4] = [
    of_cuda_12("12.0.140", "nvrtc-12.0"),
    of_cuda_12("12.4.127", "nvrtc-12.4"),
    of_cuda_12("12.6.85", "nvrtc-12.6"),
    of_cuda_12("12.8.93", "nvrtc-12.8"),
];

const NEWEST: Wheel = Wheel { package: "nvidia-cuda-nvrtc", version: None, folder: "nvrtc-newest" };

const fn of_cuda_12(version: &'static str, folder: &'static str) -> Wheel {
    Wheel { package: "nvidia-cuda-nvrtc-cu12", version: Some(version), folder }
}

/// That of the gate. `cargo xtask test --long` has all.
const OLDEST: &Wheel = &OLDER[0];

/// Fetches the oldest version where it is not there yet, and returns its folder.
pub(crate) fn fetch(workspace: &Workspace) -> Result<PathBuf> {
    OLDEST.fetched(workspace)
}

/// A kernel of each form with the oldest version, by the suite's program, while others run.
pub(crate) fn test(sh: &Shell, folder: PathBuf, suite: &Path) -> Result<()> {
    let what = format!("kernels of NVRTC {}", OLDEST.version.unwrap_or("newest"));
    let run = cmd!(sh, "{suite} nvrtc::").env(nvrtc::DIR_VARIABLE, folder);
    step::aside(&what, "", run)
}

/// Every golden with each of them and the newest one.
pub(crate) fn test_long(workspace: &Workspace, sh: &Shell, cargo: &OsStr) -> Result<()> {
    for wheel in OLDER.into_iter().chain([NEWEST]) {
        let _dir = sh.push_env(nvrtc::DIR_VARIABLE, wheel.fetched(workspace)?);
        let what = format!("goldens by NVRTC {}", wheel.version.unwrap_or("newest"));
        let suite = "--release --package gemm-tests --test suite nvrtc::".split(' ');
        step::run(&what, "2 minutes", cmd!(sh, "{cargo} test {suite...}"))?;
    }
    Ok(())
}
