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

/// Those of the gate, the oldest and the last one before the pinned one's generation: each takes a quarter of a
/// minute. `cargo xtask test --long` has all.
fn of_gate() -> impl Iterator<Item = &'static Wheel> {
    let [oldest, .., latest] = &OLDER;
    [oldest, latest].into_iter()
}

/// Fetches these versions where they are not there yet, and returns the folder of each.
pub(crate) fn fetch(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    of_gate().map(|wheel| wheel.fetched(workspace)).collect()
}

/// A kernel of each form with each of the older versions, by the suite's program, while others run.
pub(crate) fn test(sh: &Shell, folders: Vec<PathBuf>, suite: &Path) -> Result<()> {
    for (wheel, folder) in of_gate().zip(folders) {
        let what = format!("kernels of NVRTC {}", wheel.version.unwrap_or("newest"));
        let run = cmd!(sh, "{suite} nvrtc::").env(nvrtc::DIR_VARIABLE, folder);
        step::aside(&what, "", run)?;
    }
    Ok(())
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
