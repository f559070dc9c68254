//! The emulated device: `gemm-emulator` behind the interface of a GPU.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use gemm_codegen::{Target, hardware};
use gemm_emulator::{Launch, Memory, Module};

use crate::compile::{Form, Resources, Variant, compile_kernel};
use crate::device::Place;
use crate::device::emulated_launch::EmulatedLaunch;
use crate::error::{Error, KernelFault};
use crate::kernel::KernelSource;
use crate::launch::Bound;
use crate::modules::Modules;
use crate::report::Report;

/// How far an emulated launch is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The kernel's entry point.
    pub kernel: &'a str,
    /// Blocks that have finished.
    pub finished: u64,
    /// Blocks of the grid.
    pub blocks: u64,
}

/// A function that is told how far a launch is.
pub(super) type Hook = Arc<dyn Fn(Progress<'_>) + Send + Sync>;

/// An emulated device.
#[derive(Clone)]
pub(super) struct Emulated {
    shared: Arc<Shared>,
    hook: Option<Hook>,
}

/// What the clones of an emulated device, and all in its memory, have in common.
#[derive(Debug)]
struct Shared {
    memory: Memory,
    number: u64,
}

/// A kernel that was parsed. It knows no device, so all emulated devices share it.
pub(super) struct EmulatedKernel {
    module: Module,
    report: Report,
}

static MODULES: LazyLock<Modules<EmulatedKernel>> = LazyLock::new(Modules::new);

impl Emulated {
    pub(super) fn new() -> Emulated {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Emulated { shared: Arc::new(Shared { memory: Memory::new(), number }), hook: None }
    }

    pub(super) fn with_progress(self, hook: Hook) -> Emulated {
        Emulated { hook: Some(hook), ..self }
    }

    pub(super) fn place(&self) -> Place {
        self.shared.place()
    }

    pub(super) fn allocate(&self, bytes: usize) -> Result<Allocation, Error> {
        // An empty buffer has an address too.
        let address = self.shared.memory.allocate(bytes.max(1) as u64)?;
        Ok(Allocation { shared: self.shared.clone(), address, bytes })
    }

    pub(super) fn prepare<'a>(
        &self,
        kernel: &KernelSource,
        bound: Bound<'a>,
    ) -> Result<EmulatedLaunch<'a>, Error> {
        let loaded = load(kernel, &bound.variant)?;
        Ok(EmulatedLaunch::new(self.clone(), kernel, loaded, bound))
    }

    /// Runs a launch to its end.
    pub(super) fn launch(&self, kernel: &EmulatedKernel, launch: &Launch<'_>) -> Result<(), Error> {
        let hook = self.hook.as_ref().map(|hook| {
            move |progress: gemm_emulator::Progress| {
                let (finished, blocks) = (progress.done, progress.total);
                hook(Progress { kernel: launch.entry, finished, blocks });
            }
        });
        let progress = hook.as_ref().map(|hook| hook as &(dyn Fn(gemm_emulator::Progress) + Sync));
        let launch = Launch { progress, ..*launch };
        let run = kernel.module.launch(&self.shared.memory, &launch);
        run.map(|_| ()).map_err(|source| Error::Fault {
            kernel: launch.entry.to_owned(),
            source: Box::new(source),
        })
    }

    pub(super) fn report(&self, kernel: &KernelSource) -> Result<Report, Error> {
        Ok(load(kernel, &Variant::default())?.report.clone())
    }
}

impl fmt::Display for Emulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (PTX on the CPU)", self.place())
    }
}

impl Shared {
    fn place(&self) -> Place {
        Place::Emulator { number: self.number }
    }
}

/// The architecture whose PTX is run: sm_80 if the kernel is legal on it, else its oldest.
fn architecture(kernel: &KernelSource) -> Result<Target, Error> {
    if kernel.targets.contains(&Target::Sm80) {
        return Ok(Target::Sm80);
    }
    kernel.targets.iter().copied().min().ok_or_else(|| Error::KernelSource {
        kernel: kernel.name.to_string(),
        what: KernelFault::NoTarget,
    })
}

fn load(kernel: &KernelSource, variant: &Variant) -> Result<Arc<EmulatedKernel>, Error> {
    MODULES.get_or_load(kernel, variant, || {
        let target = architecture(kernel)?;
        let available = target.limits().shared_bytes_per_block;
        if kernel.shared_bytes > available {
            return Err(Error::SharedMemory {
                kernel: kernel.name.to_string(),
                needed: kernel.shared_bytes,
                available,
            });
        }
        let compilation = compile_kernel(kernel, variant, target.name(), Form::Ptx)?;
        let ptx = String::from_utf8_lossy(&compilation.image);
        let module = Module::parse(&ptx).map_err(|source| Error::Parse {
            kernel: kernel.entry.to_string(),
            source: Box::new(source),
        })?;
        let resources = compilation.resources(&kernel.entry).unwrap_or_default();
        let report = report_of(kernel, target, &resources);
        report.trace();
        Ok(EmulatedKernel { module, report })
    })
}

fn report_of(kernel: &KernelSource, target: Target, resources: &Resources) -> Report {
    Report {
        entry: kernel.entry.to_string(),
        architecture: target.name().to_owned(),
        threads: kernel.threads,
        registers: resources.registers,
        local_bytes: resources.stack_bytes,
        spill_store_bytes: resources.spill_store_bytes,
        spill_load_bytes: resources.spill_load_bytes,
        shared_bytes: resources.shared_bytes + kernel.shared_bytes,
        blocks_per_sm: blocks_per_sm(kernel, target, resources),
    }
}

/// The blocks whose threads, registers and shared memory an SM of `target` holds at a time.
fn blocks_per_sm(kernel: &KernelSource, target: Target, resources: &Resources) -> u32 {
    let limits = target.limits();
    let warps = kernel.threads.div_ceil(hardware::WARP);
    let per_warp = (resources.registers * hardware::WARP)
        .next_multiple_of(hardware::REGISTER_UNIT_PER_WARP)
        .max(hardware::REGISTER_UNIT_PER_WARP);
    let shared =
        resources.shared_bytes + kernel.shared_bytes + hardware::RESERVED_SHARED_BYTES_PER_BLOCK;
    limits
        .blocks_per_sm
        .min(limits.threads_per_sm / (warps * hardware::WARP).max(1))
        .min(hardware::REGISTERS_PER_SM / (warps * per_warp).max(1))
        .min(limits.shared_bytes_per_sm / shared)
}

/// Owned bytes in an emulated memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    shared: Arc<Shared>,
    address: u64,
    /// Without the padding of an empty buffer.
    bytes: usize,
}

impl Allocation {
    pub(crate) fn view(&self) -> EmulatedView<'_> {
        EmulatedView { allocation: self, range: 0..self.bytes }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if let Err(error) = self.shared.memory.free(self.address) {
            tracing::error!(%error, "cannot free emulated memory at {:#x}", self.address);
        }
    }
}

/// Borrowed bytes in an emulated memory. Whether they may be written is the concern of whoever
/// made the view.
#[derive(Clone, Debug)]
pub(crate) struct EmulatedView<'a> {
    allocation: &'a Allocation,
    range: Range<usize>,
}

impl<'a> EmulatedView<'a> {
    pub(crate) fn bytes(&self) -> usize {
        self.range.len()
    }

    pub(crate) fn address(&self) -> u64 {
        self.allocation.address + self.range.start as u64
    }

    pub(crate) fn place(&self) -> Place {
        self.allocation.shared.place()
    }

    pub(crate) fn slice(mut self, range: Range<usize>) -> EmulatedView<'a> {
        self.range = self.range.start + range.start..self.range.start + range.end;
        self
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), Error> {
        Ok(self.allocation.shared.memory.read(self.address(), bytes)?)
    }

    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.allocation.shared.memory.write(self.address(), bytes)?)
    }
}
