//! Where a launch reads before its predecessor has ended, and where it writes.

use std::env;
use std::ffi::OsStr;
use std::sync::LazyLock;

use gemm_codegen::Kernel;

use crate::device::gpu::Gpu;
use crate::device::predecessor::{Accesses, Spans};
use crate::launch::bound::Bound;
use crate::launch::overlap::span;
use crate::memory::gpu::is_per_thread;

/// Says whether kernels start early.
const VARIABLE: &str = "GEMM_PDL";

static ALLOWED: LazyLock<bool> = LazyLock::new(|| is_allowed(env::var_os(VARIABLE).as_deref()));

/// Whether kernels may start early by this value of the variable.
fn is_allowed(value: Option<&OsStr>) -> bool {
    match value.map(OsStr::to_string_lossy).as_deref() {
        Some("off") => false,
        None | Some("" | "on") => true,
        Some(other) => {
            tracing::warn!("{VARIABLE}: expected on or off, got {other}: kernels start early");
            true
        }
    }
}

/// Those of a launch on this GPU. One on CUDA's per-thread default stream does not start early: its predecessor may be on
/// another thread's.
pub(super) fn accesses(kernel: &Kernel, bound: &Bound<'_>, gpu: &Gpu) -> Accesses {
    let arguments = bound.arguments.iter().enumerate();
    let exponents = bound.exponents.iter().map(|(number, exponents)| (*number, exponents));
    let early = arguments.chain(exponents).filter(|(number, _)| kernel.launch.is_early(*number));
    let can_overlap =
        gpu.machine().target.starts_kernels_early() && !is_per_thread(gpu.stream()) && *ALLOWED;
    let overlaps = kernel.launch.pdl.is_some() && can_overlap;
    Accesses {
        early: overlaps.then(|| early.filter_map(|(_, argument)| span(argument)).collect()),
        writes: writes(kernel, bound),
        launches_dependents: kernel.launch.launches_dependents,
    }
}

/// Where it writes: its outputs, which are the last arguments.
pub(in crate::launch) fn writes(kernel: &Kernel, bound: &Bound<'_>) -> Spans {
    bound.arguments.iter().rev().take(kernel.outputs).filter_map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_alone_keeps_kernels_from_starting_early() {
        let allowed = |value: &str| is_allowed(Some(OsStr::new(value)));
        assert!(is_allowed(None) && allowed("") && allowed("on") && allowed("0"));
        assert!(!allowed("off"));
    }
}
