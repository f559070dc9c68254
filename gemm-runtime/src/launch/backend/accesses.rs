//! Where a launch reads before its predecessor has ended, and where it writes.

use gemm_codegen::Kernel;

use crate::device::gpu::Gpu;
use crate::device::predecessor::{Accesses, Spans};
use crate::launch::bound::Bound;
use crate::launch::overlap::span;
use crate::memory::gpu::is_per_thread;

/// Those of a launch on this GPU. One on CUDA's per-thread default stream does not start early: its predecessor may be on
/// another thread's.
pub(super) fn accesses(kernel: &Kernel, bound: &Bound<'_>, gpu: &Gpu) -> Accesses {
    let arguments = bound.arguments.iter().enumerate();
    let exponents = bound.exponents.iter().map(|(number, exponents)| (*number, exponents));
    let early = arguments.chain(exponents).filter(|(number, _)| kernel.launch.is_early(*number));
    let can_overlap = gpu.machine().target.starts_kernels_early() && !is_per_thread(gpu.stream());
    let overlaps = bound.overlaps && can_overlap;
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
