//! [`Error`]: everything that can go wrong between a call and its result.

mod batch;
mod compile;
mod devices;
mod operand;
mod parts;
mod searched;
mod tiles;

pub(crate) use batch::joined;
pub use batch::{BatchError, BatchIndex};
pub use compile::{CompileError, Excerpt};
pub use operand::Operand;
pub(crate) use parts::count;
pub use parts::{ArgumentKind, Dimension, KernelFault, Origin};
pub use searched::Searched;
pub use tiles::{PackedRows, TileError};

use std::fmt;
use std::path::PathBuf;

use cudarc::driver::DriverError;
use gemm_codegen::{Axis, Element, PtxFeature, Target};

use crate::library;
use crate::place::Place;
use crate::version::Version;

/// Everything that can go wrong between a call and its result.
///
/// Errors of the arguments are found before anything is launched or written. `operand` names a
/// parameter, `index` one of its indices, `kernel` a function; extents and distances are in elements.
///
/// `Debug` writes the message, as `Display` does: it is what a `main` that returns the error shows.
#[derive(thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum Error {
    /// A shared library is not on this machine. It was looked for in these places, in order.
    #[error("{name} was not found\n{}help: {help}", Searched::list(.searched))]
    LibraryNotFound { name: &'static str, searched: Vec<Searched>, help: String },

    /// A shared library was found but cannot be opened, for this reason of the system's loader.
    #[error("{} cannot be opened: {reason}", .path.display())]
    LibraryUnusable { path: PathBuf, reason: String },

    /// A shared library lacks a function that every supported version of it has.
    #[error("{library} has no function `{function}`: it is not NVIDIA's, or it is too old")]
    FunctionNotFound { library: String, function: &'static str },

    /// NVRTC refused a kernel.
    #[error(transparent)]
    Compile(#[from] Box<CompileError>),

    /// NVRTC does not know the architecture of the device.
    #[error("NVRTC {nvrtc} does not support {architecture}: use a newer NVRTC")]
    ArchitectureUnknown { architecture: String, nvrtc: Version },

    /// The NVRTC that was found is too old for instructions of a kernel.
    #[error(
        "{kernel}: {feature} needs NVRTC {needed} or newer, for PTX ISA {}.{}; found NVRTC {nvrtc}: \
         {found}\nhelp: {}", .feature.ptx().0, .feature.ptx().1, library::newer_nvrtc_help()
    )]
    NvrtcTooOld {
        kernel: String,
        feature: PtxFeature,
        needed: Version,
        nvrtc: Version,
        found: String,
    },

    /// An operand's extent differs from the one that `given_by` has for the same index.
    #[error(
        "{operand}: expected {} ({index} of {given_by}), got {got}", dimension.counted(*expected)
    )]
    ShapeMismatch {
        operand: Operand,
        dimension: Dimension,
        axis: Axis,
        index: Box<str>,
        expected: usize,
        got: usize,
        given_by: Origin,
    },

    /// An error of the scales of a factor.
    #[error(transparent)]
    Tiles(#[from] TileError),

    /// An error of a batch, or between batches.
    #[error(transparent)]
    Batch(#[from] BatchError),

    /// A leading dimension is shorter than a row.
    #[error(
        "the leading dimension {leading_dimension} is less than the {columns} elements of a row"
    )]
    LeadingDimension { leading_dimension: usize, columns: usize },

    /// The strides of a view, of rows and of columns, are not those of a matrix that is stored row by
    /// row.
    #[error(
        "a {rows}×{columns} matrix with strides {strides:?} is not row-major, with strides \
         [{columns} or more, 1]\n{}", parts::strides_help(*.rows, .strides)
    )]
    Strides { rows: usize, columns: usize, strides: [isize; 2] },

    /// A buffer ends before the matrix or vector it should hold.
    #[error(
        "{} {needed} {}, the buffer has {got}",
        parts::matrix(*.rows, *.columns, *.leading_dimension), parts::plural(*.needed, "element")
    )]
    BufferTooSmall {
        rows: usize,
        columns: usize,
        leading_dimension: usize,
        needed: usize,
        got: usize,
    },

    /// A host slice does not have the length of the matrix or vector it should hold.
    #[error(
        "{operand}: expected {}{}, got {got}",
        parts::count(*.expected as u64, "element"),
        parts::product(.extents)
    )]
    HostLength { operand: Operand, expected: usize, extents: Vec<usize>, got: usize },

    /// A part that does not lie within its matrix or vector; `end` is one past the last index.
    #[error("{dimension} {start}..{end} {}", parts::outside(*.start, *.end, *.extent))]
    OutOfRange { dimension: Dimension, start: usize, end: usize, extent: usize },

    /// A matrix has more bytes than a 64-bit offset can count.
    #[error("{rows} rows of {pitch} elements exceed the address space")]
    SizeOverflow { rows: usize, pitch: usize },

    /// An operand is in the memory of another device than the one that runs the kernel.
    #[error("{operand}: in the memory of {got}, but the kernel runs on {expected}")]
    DeviceMismatch { operand: Operand, expected: Place, got: Place },

    /// The output shares memory with an operand: blocks would write elements that others still read.
    #[error("{output}: shares memory with {operand}; an output must not overlap an operand")]
    Overlap { output: Operand, operand: String },

    /// Two outputs share memory: each would overwrite elements of the other.
    #[error("{output}: shares memory with {other}; outputs must not overlap")]
    OutputsOverlap { output: Operand, other: String },

    /// An address in device memory is not a multiple of its element's size.
    #[error("{operand}: address {address:#x} is not a multiple of the {} bytes of {element}", .element.bytes())]
    Misaligned { operand: Operand, address: u64, element: Element },

    /// An argument is a [`Shared`](crate::Shared) handle of memory that was allocated on another stream
    /// than the device launches on.
    #[error(
        "{operand}: a shared handle is used on the stream of its allocation, but the device has \
         another\nhelp: share memory that this device allocated"
    )]
    StreamMismatch { operand: Operand },

    /// Memory that was allocated on the per-thread default stream was to be shared.
    #[error(
        "memory of the per-thread default stream cannot be shared: it is a different stream on each \
         thread\nhelp: make the device from a stream of `new_stream()`"
    )]
    PerThreadStream,

    /// A launch was prepared for another device or stream than that of the graph it was to be part of.
    #[error("{function}: prepared for another device or stream than that of the graph")]
    GraphMismatch { function: String },

    /// An argument has elements of another type than the kernel reads or writes.
    #[error("{operand}: expected elements of {expected}, got {got}")]
    ElementMismatch { operand: Operand, expected: Element, got: Element },

    /// An argument is of another kind than its parameter, such as a vector for a matrix.
    #[error("{operand}: expected {expected}, got {got}")]
    KindMismatch { operand: Operand, expected: ArgumentKind, got: ArgumentKind },

    /// An output is reduced over an index that has no elements.
    #[error("{output}: nothing to reduce, {index} is 0")]
    NothingToReduce { output: Operand, over: Axis, index: Box<str> },

    /// A kernel was given too many arguments, or too few; outputs do not count.
    #[error("{kernel} takes {}, got {got}", parts::count(*.expected as u64, "argument"))]
    ArgumentCount { kernel: String, expected: usize, got: usize },

    /// The parameters of a kernel that was made by hand contradict each other.
    #[error("{kernel}: {what}")]
    Kernel { kernel: String, what: KernelFault },

    /// M, N or K is larger than a kernel's 32-bit coordinates reach; those of several products count the
    /// columns of all.
    #[error("{kernel}: {index} = {extent} exceeds the limit of {limit}")]
    DimensionTooLarge { kernel: String, axis: Axis, index: Box<str>, extent: usize, limit: usize },

    /// The output needs more blocks than a grid can have.
    #[error(
        "{kernel}: the output needs {blocks} blocks, the limit of a grid is {limit}: use larger tiles"
    )]
    GridTooLarge { kernel: String, blocks: u64, limit: u64 },

    /// The driver refuses a launch of clusters: a part of a GPU may not run as many blocks at the same
    /// time.
    #[error(
        "{kernel}: the driver refuses {blocks} blocks in clusters of {size}, {shared_bytes} B of shared \
         memory each, on {processors} SMs: remove `cluster`"
    )]
    Cluster {
        kernel: String,
        blocks: u32,
        size: u32,
        shared_bytes: u32,
        processors: u32,
        source: DriverError,
    },

    /// There is a driver but no GPU.
    #[error("the CUDA driver reports no GPU")]
    NoGpu,

    /// There is no GPU of this number.
    #[error("GPU {ordinal} does not exist: the CUDA driver reports {count}")]
    NoSuchGpu { ordinal: usize, count: usize },

    /// The device's compute capability runs none of the kernel's targets.
    #[error(
        "{kernel} requires {lowest}{}, but the device is sm_{}{}{}",
        parts::or_newer(.lowest), .device.0, .device.1, parts::way_out(*.device, .lowest)
    )]
    UnsupportedArchitecture { kernel: String, device: (u32, u32), lowest: Target },

    /// A block needs more shared memory than the device has for one, in bytes.
    #[error(
        "{kernel} needs {needed} B of shared memory per block, but the device has {available} B"
    )]
    SharedMemory { kernel: String, needed: u32, available: u32 },

    /// An allocation failed, for a launch of `kernel` or of the caller's own: device memory is full, or that of an emulator
    /// would have more than its `limit` in bytes.
    #[error(
        "{}{bytes} B of device memory cannot be allocated: {}", parts::of(.kernel), parts::full(*.limit)
    )]
    OutOfMemory { kernel: Option<String>, bytes: usize, limit: Option<u64> },

    /// The driver refused the machine code that NVRTC made.
    #[error(
        "the driver (CUDA {driver}) cannot load {entry}, which NVRTC {nvrtc} compiled: use an \
         NVRTC of the driver's major version"
    )]
    Load { entry: String, driver: Version, nvrtc: Version, source: DriverError },

    /// The CUDA driver reported an error, of a launch of `kernel` or an earlier one, or of another call.
    #[error("{}the CUDA driver reported an error: {source}", parts::of(.kernel))]
    Driver { kernel: Option<String>, source: DriverError },

    /// A text is not a record of a [`Tuning`](crate::Tuning).
    #[error("the text is not a tuning record: {0}")]
    TuningRecord(#[source] crate::tuning::RecordError),

    /// A spec given to [`Device::report_html`](crate::Device::report_html) breaks rules.
    #[cfg(feature = "report")]
    #[error(transparent)]
    IllegalSpec(Box<gemm_codegen::Diagnostics>),

    /// The emulator found a fault in a kernel, which is named by its entry point.
    #[cfg(feature = "emulator")]
    #[error("{kernel}: {source}")]
    Fault { kernel: String, source: Box<gemm_emulator::Fault> },

    /// The emulator found that a kernel did not reset the count of a tile in its workspace, on which
    /// the next launch relies. The kernel is named by its entry point, the tile by its number in the
    /// grid.
    #[error("{kernel}: the arrival count of tile {tile} is {count} after the launch, expected 0")]
    CountLeft { kernel: String, tile: usize, count: u32 },

    /// The emulator does not support something in the PTX of a kernel, which is named by its entry
    /// point.
    #[cfg(feature = "emulator")]
    #[error("the emulator cannot run {kernel}: {source}")]
    Parse { kernel: String, source: Box<gemm_emulator::ParseError> },

    /// The memory of the emulated device reported an error, of a launch of `kernel` or of another call.
    #[cfg(feature = "emulator")]
    #[error("{}emulated memory: {source}", parts::of(.kernel))]
    Memory { kernel: Option<String>, source: gemm_emulator::MemoryError },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
