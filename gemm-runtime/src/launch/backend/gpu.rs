//! [`GpuLaunch`]: a kernel with its arguments, ready to be enqueued.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::sys::{
    CUlaunchAttribute, CUlaunchAttributeID, CUlaunchAttributeValue, CUlaunchConfig, CUresult,
    CUstream, CUtensorMap, cuLaunchKernelEx,
};
use cudarc::driver::{CudaStream, DriverError};

use gemm_codegen::Kernel;

use crate::argument::{Argument, Value};
use crate::compile::Version;
use crate::device::gpu::{Gpu, GpuKernel, driver_version, is_capturing};
use crate::device::predecessor::{Accesses, Last, Predecessor};
use crate::error::Error;
use crate::launch::backend::accesses::accesses;
use crate::launch::backend::{residency, tensor_map};
use crate::launch::bound::{Bound, WordValue};
use crate::launch::workspace::Workspace;
use crate::memory::gpu::{GpuView, GpuViewMut};
use crate::memory::{Buffer, Storage, StorageMut};

/// The first driver whose graphs have edges along which a kernel starts early (CUDA programming guide, "Programmatic
/// Dependent Launch", "Use in CUDA Graphs").
const PROGRAMMATIC_EDGES: Version = Version { major: 12, minor: 3 };

/// A kernel with its arguments, ready to be enqueued.
pub(in crate::launch) struct GpuLaunch<'a> {
    stream: Arc<CudaStream>,
    kernel: Arc<GpuKernel>,
    blocks: u32,
    threads: u32,
    shared_bytes: u32,
    /// What an error says of clusters: the kernel's name, their size and the SMs of the device.
    cluster: Option<(String, u32, u32)>,
    accesses: Accesses,
    predecessor: Arc<Predecessor>,
    /// Whether the driver can record in a graph that it may start early.
    overlaps_in_graphs: bool,
    inputs: Vec<GpuView<'a>>,
    outputs: Vec<GpuViewMut<'a>>,
    /// These keep the memory of the launch allocated.
    _workspace: Option<Workspace>,
    owned: Vec<Arc<Buffer>>,
    /// The targets of `pointers`; neither is accessed after `new`.
    _values: Box<[Slot]>,
    pointers: Box<[*mut c_void]>,
}

/// The value of a kernel parameter, aligned for any of them.
enum Slot {
    Word(Aligned),
    Map(Box<CUtensorMap>),
}

#[repr(align(8))]
struct Aligned([u8; 8]);

impl Slot {
    /// Where the driver reads the value.
    fn pointer(&mut self) -> *mut c_void {
        match self {
            Slot::Word(word) => word.0.as_mut_ptr().cast(),
            Slot::Map(map) => std::ptr::from_mut(&mut **map).cast(),
        }
    }
}

// SAFETY: the pointers lead into `_values` and the maps that these box, which the launch owns on the
// heap and which nothing writes; moving the launch to another thread moves neither. All other fields
// are `Send`.
unsafe impl Send for GpuLaunch<'_> {}

impl<'a> GpuLaunch<'a> {
    pub(in crate::launch) fn new(
        gpu: &Gpu,
        kernel: &Kernel,
        bound: Bound<'a>,
    ) -> Result<GpuLaunch<'a>, Error> {
        let mut values = Vec::with_capacity(kernel.abi.0.len());
        for value in bound.values(kernel) {
            values.push(Slot::try_from(value?)?);
        }
        let mut values = values.into_boxed_slice();
        let pointers = values.iter_mut().map(Slot::pointer).collect();
        let loaded = gpu.load(kernel, &bound.problem.variant)?;
        let blocks = bound.problem.blocks;
        let mut shared_bytes = kernel.launch.shared_bytes;
        let accesses = accesses(kernel, &bound, gpu);
        if accesses.runs_beside_others() && kernel.launch.cluster_size() == 1 {
            let fitting = loaded.blocks_per_sm();
            let more = residency::shared_bytes(shared_bytes, fitting, blocks, &gpu.machine());
            shared_bytes = more.min(loaded.shared_limit);
        }
        let mut launch = GpuLaunch {
            stream: gpu.stream().clone(),
            blocks: loaded.resident.map_or(blocks, |resident| blocks.min(resident)),
            kernel: loaded,
            threads: kernel.launch.threads,
            shared_bytes,
            cluster: cluster(gpu, kernel),
            accesses,
            predecessor: gpu.predecessor().clone(),
            overlaps_in_graphs: driver_version() >= PROGRAMMATIC_EDGES,
            inputs: Vec::with_capacity(bound.arguments.len()),
            outputs: Vec::new(),
            _workspace: bound.workspace,
            owned: Vec::new(),
            _values: values,
            pointers,
        };
        let exponents = bound.exponents.into_iter().map(|(_, exponents)| exponents);
        bound.arguments.into_iter().chain(exponents).for_each(|argument| launch.keep(argument));
        Ok(launch)
    }

    /// Keeps the memory of an argument borrowed or allocated.
    fn keep(&mut self, Argument(value): Argument<'a>) {
        match value {
            Value::Matrix { storage, .. }
            | Value::Vector { storage, .. }
            | Value::Scalar { storage, .. } => match storage {
                Storage::Gpu(view) => self.inputs.push(view),
                Storage::Shared(bytes) => self.owned.push(bytes.into_buffer()),
                // `Bound::new` has checked that every operand is in this device's memory.
                #[cfg(feature = "emulator")]
                Storage::Emulated(_) => {}
            },
            Value::Split(split) => self.owned.push(split.elements.into_buffer()),
            Value::MutableMatrix { storage, .. } | Value::MutableVector { storage, .. } => {
                match storage {
                    StorageMut::Gpu(view) => self.outputs.push(view),
                    StorageMut::Shared(bytes) => self.owned.push(bytes.into_buffer()),
                    #[cfg(feature = "emulator")]
                    StorageMut::Emulated(_) => {}
                }
            }
            _ => {}
        }
    }

    /// Enqueues the kernel.
    pub(in crate::launch) fn launch(&mut self) -> Result<(), Error> {
        let stream = self.stream.cu_stream();
        let predecessor = self.predecessor.clone();
        self.ordered(|launch| {
            let captured = is_capturing(&launch.stream)?;
            launch.enqueue(stream, &mut predecessor.lock(captured), captured)
        })
    }

    /// Enqueues something that runs this kernel, after the last work of other streams on the borrowed
    /// operands and before their next.
    pub(super) fn ordered(
        &mut self,
        enqueue: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let stream = self.stream.clone();
        let context = stream.context();
        context.bind_to_thread()?;
        let ordered = context.is_managing_stream_synchronization() || self.has_foreign_operand();
        let ordered = ordered && !is_capturing(&stream)?;
        if ordered {
            self.inputs.iter().try_for_each(|input| input.wait_on(&stream))?;
            self.outputs.iter_mut().try_for_each(|output| output.wait_on(&stream))?;
            context.check_err()?;
        }
        enqueue(self)?;
        if ordered {
            self.inputs.iter().try_for_each(|input| input.record_on(&stream))?;
            self.outputs.iter_mut().try_for_each(|output| output.record_on(&stream))?;
        }
        Ok(())
    }

    /// Whether it is enqueued on this stream.
    pub(in crate::launch) fn is_on(&self, stream: &CudaStream) -> bool {
        *self.stream == *stream
    }

    /// Enqueues the kernel after the last one of a stream of its context, which is current, or records it there in a graph.
    pub(super) fn enqueue(
        &mut self,
        stream: CUstream,
        last: &mut Last,
        captured: bool,
    ) -> Result<(), Error> {
        let overlaps = last.overlaps(&self.accesses) && (!captured || self.overlaps_in_graphs);
        let mut attributes = [programmatic_serialization()];
        let config = self.config(stream, &mut attributes[..usize::from(overlaps)]);
        // SAFETY: the function is loaded in the stream's context, which is current. The pointers lead
        // to one value for each of its parameters, in order and of the declared size: `Bound` has
        // them from the same description as the text, and has checked that each matrix lies within
        // its buffer, so the kernel stays within the operands. The inputs are borrowed for as long as
        // `self`, the outputs mutably; `self` owns the workspace, padded copies and its shared
        // handles. Freeing any is ordered after this launch by their stream, which is that of the launch
        // for all that is owned, or by the events that `ordered` records. `config` and what it points
        // to live until the call returns, which copies them. A kernel that overlaps waits for its
        // predecessor itself.
        unsafe {
            let function = self.kernel.function.cu_function();
            let pointers = self.pointers.as_mut_ptr();
            cuLaunchKernelEx(&raw const config, function, pointers, std::ptr::null_mut())
        }
        .result()
        .map_err(|source| self.refused(source))?;
        last.set(&self.accesses);
        Ok(())
    }

    /// The error of a launch that the driver refuses.
    fn refused(&self, source: DriverError) -> Error {
        let of_cluster = [
            CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE,
            CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
        ];
        match &self.cluster {
            Some((kernel, size, processors)) if of_cluster.contains(&source.0) => Error::Cluster {
                kernel: kernel.clone(),
                blocks: self.blocks,
                size: *size,
                shared_bytes: self.shared_bytes,
                processors: *processors,
                source,
            },
            _ => source.into(),
        }
    }

    /// The grid, the block, and attributes: that of a kernel that overlaps, or none.
    fn config(&self, stream: CUstream, attributes: &mut [CUlaunchAttribute]) -> CUlaunchConfig {
        CUlaunchConfig {
            gridDimX: self.blocks,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: self.threads,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: self.shared_bytes,
            hStream: stream,
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as u32,
        }
    }

    /// Whether an operand came with another `CudaContext` than the stream's: cudarc's events do
    /// not order it then.
    fn has_foreign_operand(&self) -> bool {
        let context = self.stream.context();
        self.inputs.iter().any(|input| input.is_foreign_to(context))
            || self.outputs.iter().any(|output| output.is_foreign_to(context))
    }
}

/// What the error of a refused launch says of a kernel's clusters.
fn cluster(gpu: &Gpu, kernel: &Kernel) -> Option<(String, u32, u32)> {
    let size = kernel.launch.cluster_size();
    (size > 1).then(|| (kernel.name.to_string(), size, gpu.machine().processors))
}

/// Lets a kernel start before its predecessor in the stream has ended (CUDA driver API,
/// `CUlaunchAttributeID`).
fn programmatic_serialization() -> CUlaunchAttribute {
    CUlaunchAttribute {
        id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        pad: [0; 4],
        value: CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 },
    }
}

impl TryFrom<WordValue> for Slot {
    type Error = Error;

    fn try_from(value: WordValue) -> Result<Slot, Error> {
        Ok(match value {
            WordValue::Eight(bytes) => Slot::Word(Aligned(bytes)),
            WordValue::Four([a, b, c, d]) => Slot::Word(Aligned([a, b, c, d, 0, 0, 0, 0])),
            WordValue::Map(tensor) => Slot::Map(Box::new(tensor_map::map(&tensor)?)),
        })
    }
}
