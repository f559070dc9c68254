//! The emulated device: `gemm-emulator` with the interface of a GPU.

mod functions;
mod notice;
mod options;
mod profile;

pub use options::EmulatorOptions;
pub use profile::LaunchProfile;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gemm_codegen::auto::Machine;
use gemm_codegen::{Kernel, LaunchShape, Target, Variant, hardware};
use gemm_emulator::{Launch, Module, Statistics, Trace};

use crate::compile::{Format, Resources, compile_kernel};
use crate::device::support;
use crate::error::Error;
use crate::memory::emulated::{Allocation, EmulatedMemory};
use crate::modules::Modules;
use crate::place::Place;
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
    /// Since the launch began.
    pub elapsed: Duration,
}

/// Called with the progress of a launch.
pub(super) type Hook = Arc<dyn Fn(Progress<'_>) + Send + Sync>;

/// An emulated device.
#[derive(Clone)]
pub(crate) struct Emulated {
    memory: Arc<EmulatedMemory>,
    state: Arc<State>,
    hook: Option<Hook>,
}

/// The state that the clones of an emulated device share.
#[derive(Debug)]
struct State {
    options: EmulatorOptions,
    /// Of the launch that ended last.
    last_profile: Mutex<Option<Arc<LaunchProfile>>>,
    last_trace: Mutex<Option<Arc<Trace>>>,
}

/// A parsed kernel. All emulated devices share it.
pub(crate) struct EmulatedKernel {
    module: Module,
    pub(crate) target: Target,
}

/// The kernels and reports of an architecture, for all devices.
struct Loaded {
    kernels: Modules<EmulatedKernel>,
    /// Separate: only a report needs machine code, which takes longer than everything else.
    reports: Modules<Report>,
}

impl Emulated {
    pub(super) fn new(options: EmulatorOptions) -> Emulated {
        let memory = Arc::new(EmulatedMemory::new(options.memory_limit));
        let state = State { options, last_profile: Mutex::new(None), last_trace: Mutex::new(None) };
        Emulated { memory, state: Arc::new(state), hook: None }
    }

    pub(super) fn last_profile(&self) -> Option<Arc<LaunchProfile>> {
        self.state.last_profile.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn last_trace(&self) -> Option<Arc<Trace>> {
        self.state.last_trace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn with_progress(self, hook: Hook) -> Emulated {
        Emulated { hook: Some(hook), ..self }
    }

    pub(crate) fn place(&self) -> Place {
        self.memory.place()
    }

    /// By default an A100's: kernels are chosen as on a GPU, not by their speed on the emulator.
    pub(super) fn machine(&self) -> Machine {
        self.state.options.machine_or_default()
    }

    /// Whether it can run a kernel.
    pub(super) fn supports(&self, name: &str, launch: &LaunchShape) -> Result<(), Error> {
        self.target(name, launch).and_then(|target| supports(name, launch, target))
    }

    /// The architecture whose PTX of a kernel is run: as on a GPU in the architecture-specific form that
    /// the kernel names.
    fn target(&self, name: &str, launch: &LaunchShape) -> Result<Target, Error> {
        let Some(target) = self.state.options.target else { return usual_target(name, launch) };
        Ok(support::specific_target(launch, target.capability()).unwrap_or(target))
    }

    pub(super) fn allocate(&self, bytes: usize) -> Result<Allocation, Error> {
        Allocation::new(self.memory.clone(), bytes)
    }

    /// Runs a launch to its end, with the checks and counts that the options ask for.
    pub(crate) fn launch(
        &self,
        kernel: &EmulatedKernel,
        launch: &Launch<'_>,
    ) -> Result<Statistics, Error> {
        notice::say_if_unoptimised();
        let (start, furthest) = (Instant::now(), Mutex::new(0));
        let hook = self.hook.as_ref().map(|hook| {
            move |progress: gemm_emulator::Progress| {
                // Threads report in any order: a smaller number than before is out of date.
                let mut furthest = furthest.lock().unwrap_or_else(PoisonError::into_inner);
                if progress.done > *furthest {
                    *furthest = progress.done;
                    let (finished, blocks) = (progress.done, progress.total);
                    hook(Progress {
                        kernel: launch.entry,
                        finished,
                        blocks,
                        elapsed: start.elapsed(),
                    });
                }
            }
        });
        let options = &self.state.options;
        let launch = Launch {
            find_races: options.races,
            descending_blocks: options.descending_blocks,
            profile: options.profile,
            trace: options.trace,
            seed: options.seed,
            instruction_limit: options.instruction_limit.unwrap_or(launch.instruction_limit),
            progress: hook.as_ref().map(|hook| hook as &(dyn Fn(gemm_emulator::Progress) + Sync)),
            ..*launch
        };
        let run = kernel.module.launch(&self.memory.bytes, &launch);
        run.map_err(|source| Error::Fault {
            kernel: launch.entry.to_owned(),
            source: Box::new(source),
        })
    }

    /// Keeps the counts of a launch, or that it failed, if launches are profiled.
    pub(crate) fn keep_profile(&self, profile: impl FnOnce() -> Option<LaunchProfile>) {
        if self.state.options.profile {
            let mut last = self.state.last_profile.lock().unwrap_or_else(PoisonError::into_inner);
            *last = profile().map(Arc::new);
        }
    }

    /// Keeps the trace of a launch, or that it failed, if launches are traced.
    pub(crate) fn keep_trace(&self, statistics: Option<&mut Statistics>) {
        if self.state.options.trace.is_some() {
            let mut last = self.state.last_trace.lock().unwrap_or_else(PoisonError::into_inner);
            *last = statistics.and_then(|statistics| statistics.trace.take()).map(Arc::new);
        }
    }

    pub(super) fn report(&self, kernel: &Kernel) -> Result<Report, Error> {
        let (target, variant) = (self.target(&kernel.name, &kernel.launch)?, Variant::default());
        let report = loaded_for(target)
            .reports
            .get_or_load(kernel, &variant, || report_of(kernel, &variant, target))?;
        Ok(Report::clone(&report))
    }

    /// The kernel, parsed.
    pub(crate) fn load(
        &self,
        kernel: &Kernel,
        variant: &Variant,
    ) -> Result<Arc<EmulatedKernel>, Error> {
        let target = self.target(&kernel.name, &kernel.launch)?;
        loaded_for(target).kernels.get_or_load(kernel, variant, || load(kernel, variant, target))
    }
}

impl fmt::Display for Emulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if gemm_emulator::IS_OPTIMISED { "" } else { ", compiled without optimisation" };
        let target = self.state.options.target.unwrap_or(Target::Sm80);
        write!(f, "{} (PTX of {target} on the CPU{how})", self.place())
    }
}

/// The architecture whose PTX is run without the option `target`: sm_80 if the kernel is legal on it,
/// else its oldest.
fn usual_target(name: &str, launch: &LaunchShape) -> Result<Target, Error> {
    // What a kernel reads early is checked where it starts early.
    let usual = if launch.launches_dependents { Target::Sm90 } else { Target::Sm80 };
    if launch.targets.contains(&usual) {
        return Ok(usual);
    }
    support::lowest_target(name, launch)
}

fn loaded_for(target: Target) -> Arc<Loaded> {
    static LOADED: LazyLock<Mutex<HashMap<Target, Arc<Loaded>>>> = LazyLock::new(Mutex::default);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let new = || Arc::new(Loaded { kernels: Modules::new(), reports: Modules::new() });
    loaded.entry(target).or_insert_with(new).clone()
}

fn supports(name: &str, launch: &LaunchShape, target: Target) -> Result<(), Error> {
    let shared_bytes = target.limits().shared_bytes_per_block;
    support::check(name, launch, target.capability(), shared_bytes)
}

fn load(kernel: &Kernel, variant: &Variant, target: Target) -> Result<EmulatedKernel, Error> {
    supports(&kernel.name, &kernel.launch, target)?;
    let compilation = compile_kernel(kernel, variant, target.name(), Format::Ptx)?;
    let ptx = String::from_utf8_lossy(&compilation.image);
    let module = Module::parse(&ptx).map_err(|source| Error::Parse {
        kernel: kernel.entry.to_string(),
        source: Box::new(source),
    })?;
    Ok(EmulatedKernel { module, target })
}

/// The resources of a kernel's machine code.
fn report_of(kernel: &Kernel, variant: &Variant, target: Target) -> Result<Report, Error> {
    supports(&kernel.name, &kernel.launch, target)?;
    let compilation = compile_kernel(kernel, variant, target.name(), Format::Cubin)?;
    let resources = compilation.resources(&kernel.entry).unwrap_or_default();
    let report = Report {
        entry: kernel.entry.to_string(),
        architecture: target.name().to_owned(),
        factors: kernel.factors,
        approximations: kernel.approximations(),
        threads: kernel.launch.threads,
        registers: resources.registers,
        local_bytes: resources.stack_bytes,
        spill_store_bytes: resources.spill_store_bytes,
        spill_load_bytes: resources.spill_load_bytes,
        shared_bytes: resources.shared_bytes + kernel.launch.shared_bytes,
        blocks_per_sm: blocks_per_sm(kernel, target, &resources),
    };
    report.trace();
    Ok(report)
}

/// The blocks whose threads, registers and shared memory an SM of `target` holds at a time.
fn blocks_per_sm(kernel: &Kernel, target: Target, resources: &Resources) -> u32 {
    let limits = target.limits();
    let warps = kernel.launch.threads.div_ceil(hardware::WARP);
    let per_warp = (resources.registers * hardware::WARP)
        .next_multiple_of(hardware::REGISTER_UNIT_PER_WARP)
        .max(hardware::REGISTER_UNIT_PER_WARP);
    let shared = resources.shared_bytes
        + kernel.launch.shared_bytes
        + limits.reserved_shared_bytes_per_block;
    limits
        .blocks_per_sm
        .min(limits.threads_per_sm / (warps * hardware::WARP).max(1))
        .min(hardware::REGISTERS_PER_SM / (warps * per_warp).max(1))
        .min(limits.shared_bytes_per_sm / shared.max(1))
}
