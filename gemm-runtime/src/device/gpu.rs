//! A GPU: its context, the stream it is used on, the kernels it has loaded.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::CUstreamCaptureStatus;
use cudarc::driver::sys::{CUdevice_attribute, CUfunction_attribute, CUresult};
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, DriverError, LaunchConfig};
use gemm_codegen::auto::Machine;
use gemm_codegen::{Kernel, LaunchShape, Variant};

use crate::compile::{Compilation, Format, Version, compile_kernel};
use crate::device::predecessor::{Predecessor, Predecessors};
use crate::device::support;
use crate::error::Error;
use crate::library;
use crate::memory::gpu::GpuBuffer;
use crate::modules::Modules;
use crate::place::Place;
use crate::report::Report;

/// A GPU and the stream it is used on.
pub(crate) struct Gpu {
    stream: Arc<CudaStream>,
    predecessor: Arc<Predecessor>,
    state: Arc<State>,
}

/// The state that all devices of one context share.
struct State {
    context: Arc<CudaContext>,
    name: String,
    capability: (u32, u32),
    /// Shared memory that a block can have after opting in, in bytes.
    shared_bytes_per_block: u32,
    machine: Machine,
    modules: Modules<GpuKernel>,
    predecessors: Predecessors,
}

/// A kernel that a context has loaded.
#[derive(Debug)]
pub(crate) struct GpuKernel {
    pub(crate) function: CudaFunction,
    report: Report,
    /// Blocks that run at a time, of clusters that walk over tiles.
    pub(crate) resident: Option<u32>,
    /// The most shared memory with which it can be launched, in bytes.
    pub(crate) shared_limit: u32,
}

impl GpuKernel {
    /// How many of its blocks fit an SM.
    pub(crate) fn blocks_per_sm(&self) -> u32 {
        self.report.blocks_per_sm
    }
}

impl Gpu {
    pub(super) fn new(ordinal: usize) -> Result<Gpu, Error> {
        library::ensure_cuda()?;
        let count = match CudaContext::device_count() {
            Ok(count) => usize::try_from(count).unwrap_or(0),
            // The second is the toolkit's library to link against, where no driver is installed.
            Err(DriverError(
                CUresult::CUDA_ERROR_NO_DEVICE | CUresult::CUDA_ERROR_STUB_LIBRARY,
            )) => 0,
            Err(error) => return Err(error.into()),
        };
        if count == 0 {
            return Err(Error::NoGpu);
        }
        if ordinal >= count {
            return Err(Error::NoSuchGpu { ordinal, count });
        }
        let known =
            State::find(|state| state.context.is_primary() && state.context.ordinal() == ordinal);
        let context = match known {
            Some(state) => state.context.clone(),
            None => CudaContext::new(ordinal)?,
        };
        Gpu::from_stream(context.default_stream())
    }

    pub(super) fn from_stream(stream: Arc<CudaStream>) -> Result<Gpu, Error> {
        library::ensure_cuda()?;
        let state = State::of(stream.context())?;
        Ok(Gpu { predecessor: state.predecessors.of(&stream), stream, state })
    }

    pub(crate) fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// The last kernels of its stream.
    pub(crate) fn predecessor(&self) -> &Arc<Predecessor> {
        &self.predecessor
    }

    pub(crate) fn machine(&self) -> Machine {
        self.state.machine
    }

    /// The model, as the driver calls it.
    pub(super) fn name(&self) -> &str {
        &self.state.name
    }

    /// Whether its stream is captured.
    pub(super) fn is_capturing(&self) -> Result<bool, Error> {
        is_capturing(&self.stream)
    }

    /// Whether it can run a kernel.
    pub(super) fn supports(&self, name: &str, launch: &LaunchShape) -> Result<(), Error> {
        self.state.supports(name, launch)
    }

    pub(super) fn place(&self) -> Place {
        Place::of(&self.state.context)
    }

    pub(super) fn allocate(&self, bytes: usize) -> Result<GpuBuffer, Error> {
        GpuBuffer::new(&self.stream, bytes)
    }

    /// The kernel, compiled and loaded.
    pub(crate) fn load(&self, kernel: &Kernel, variant: &Variant) -> Result<Arc<GpuKernel>, Error> {
        self.state.kernel(kernel, variant)
    }

    pub(super) fn report(&self, kernel: &Kernel) -> Result<Report, Error> {
        Ok(self.state.kernel(kernel, &Variant::default())?.report.clone())
    }
}

impl fmt::Display for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { name, capability: (major, minor), .. } = self.state.as_ref();
        write!(f, "{}: {name} (sm_{major}{minor})", self.place())
    }
}

/// The states of the contexts that were used so far. They are kept: a program that makes a device
/// from a stream for each call must not load its kernels for each call.
static STATES: Mutex<Vec<Arc<State>>> = Mutex::new(Vec::new());

impl State {
    fn find(is_it: impl Fn(&State) -> bool) -> Option<Arc<State>> {
        let states = STATES.lock().unwrap_or_else(PoisonError::into_inner);
        states.iter().find(|state| is_it(state)).cloned()
    }

    fn of(context: &Arc<CudaContext>) -> Result<Arc<State>, Error> {
        if let Some(state) = State::find(|state| Arc::ptr_eq(&state.context, context)) {
            return Ok(state);
        }
        let state = Arc::new(State::new(context)?);
        let mut states = STATES.lock().unwrap_or_else(PoisonError::into_inner);
        match states.iter().find(|known| Arc::ptr_eq(&known.context, context)) {
            Some(known) => Ok(known.clone()),
            None => {
                states.push(state.clone());
                Ok(state)
            }
        }
    }

    /// Asks the driver about a device.
    fn new(context: &Arc<CudaContext>) -> Result<State, Error> {
        use CUdevice_attribute as A;
        let attribute =
            |which| -> Result<u32, Error> { Ok(context.attribute(which)?.unsigned_abs()) };
        let hertz = |which| Ok::<f64, Error>(1e3 * f64::from(attribute(which)?));
        let capability = (
            attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        let bus_bytes = attribute(A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)? / 8;
        // Memory transfers data twice in a cycle.
        let transfers = 2.0 * hertz(A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?;
        let shared = attribute(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        Ok(State {
            name: context.name()?,
            capability,
            machine: Machine {
                target: support::nearest_target(capability),
                processors: attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.max(1),
                clock: hertz(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
                memory: f64::from(bus_bytes) * transfers,
            },
            shared_bytes_per_block: shared,
            modules: Modules::new(),
            predecessors: Predecessors::default(),
            context: context.clone(),
        })
    }

    fn supports(&self, name: &str, launch: &LaunchShape) -> Result<(), Error> {
        support::check(name, launch, self.capability, self.shared_bytes_per_block)
    }

    fn kernel(&self, kernel: &Kernel, variant: &Variant) -> Result<Arc<GpuKernel>, Error> {
        self.modules.get_or_load(kernel, variant, || {
            self.supports(&kernel.name, &kernel.launch)?;
            let architecture = support::native_architecture(&kernel.launch, self.capability);
            let compilation = compile_kernel(kernel, variant, &architecture, Format::Cubin)?;
            self.load(kernel, &architecture, compilation)
        })
    }

    fn load(
        &self,
        kernel: &Kernel,
        architecture: &str,
        compilation: Compilation,
    ) -> Result<GpuKernel, Error> {
        let resources = compilation.resources(&kernel.entry).unwrap_or_default();
        let nvrtc = compilation.nvrtc;
        let refused = |source| Error::Load {
            entry: kernel.entry.to_string(),
            driver: driver_version(),
            nvrtc,
            source,
        };
        let module = self.context.load_module(compilation.into()).map_err(refused)?;
        let function = module.load_function(&kernel.entry).map_err(refused)?;
        use CUfunction_attribute as A;
        let shared_limit = self.shared_limit(&function, kernel)?;
        // More than 48 KiB need this attribute; the limit was checked against the device.
        function.set_attribute(
            A::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            i32::try_from(shared_limit).unwrap_or(i32::MAX),
        )?;
        let report = Report {
            entry: kernel.entry.to_string(),
            architecture: architecture.to_owned(),
            factors: kernel.factors,
            approximations: kernel.approximations(),
            threads: kernel.launch.threads,
            registers: function.num_regs()?.unsigned_abs(),
            local_bytes: function.local_size_bytes()?.unsigned_abs(),
            spill_store_bytes: resources.spill_store_bytes,
            spill_load_bytes: resources.spill_load_bytes,
            shared_bytes: function.shared_size_bytes()?.unsigned_abs() + kernel.launch.shared_bytes,
            blocks_per_sm: function.occupancy_max_active_blocks_per_multiprocessor(
                kernel.launch.threads,
                kernel.launch.shared_bytes as usize,
                None,
            )?,
        };
        report.trace();
        let resident = self.resident(&function, kernel)?;
        Ok(GpuKernel { function, report, resident, shared_limit })
    }

    /// The most shared memory with which a kernel is launched, in bytes, beyond what its text declares: one whose blocks
    /// run beside others may be given more than it needs.
    fn shared_limit(&self, function: &CudaFunction, kernel: &Kernel) -> Result<u32, Error> {
        let declared = function.shared_size_bytes()?.unsigned_abs();
        let own = kernel.launch.shared_bytes;
        Ok(match kernel.launch.launches_dependents {
            true => own.max(self.shared_bytes_per_block.saturating_sub(declared)),
            false => own,
        })
    }

    /// The blocks of clusters that run at a time, where blocks walk over tiles: a cluster more would
    /// begin when the others have ended. A part of the SMs may have no room for a whole cluster.
    fn resident(&self, function: &CudaFunction, kernel: &Kernel) -> Result<Option<u32>, Error> {
        let LaunchShape { walks, threads, shared_bytes, .. } = kernel.launch;
        let size = kernel.launch.cluster_size();
        if !walks || size == 1 {
            return Ok(None);
        }
        let config = LaunchConfig {
            grid_dim: (size, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: shared_bytes,
        };
        let stream = self.context.default_stream();
        let clusters = function.occupancy_max_active_clusters(config, &stream)?;
        // Where none runs, the launch says so.
        Ok(Some(clusters.max(1).saturating_mul(size)))
    }
}

pub(crate) fn is_capturing(stream: &CudaStream) -> Result<bool, Error> {
    Ok(stream.capture_status()? != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

/// The newest CUDA that the driver supports.
pub(crate) fn driver_version() -> Version {
    let mut version = 0;
    // SAFETY: writes an int. It is called after `libcuda` has been found and used.
    unsafe { cudarc::driver::sys::cuDriverGetVersion(&mut version) };
    let version = version.unsigned_abs();
    Version { major: version / 1000, minor: version % 1000 / 10 }
}
