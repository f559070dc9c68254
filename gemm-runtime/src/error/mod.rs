//! [`Error`]: everything that can go wrong between a call and its result.

mod batch;
mod compile;
mod parts;
mod searched;

pub use batch::BatchError;
pub use compile::{CompileError, Excerpt};
pub use parts::{ArgumentKind, Dimension, KernelFault, Origin};
pub use searched::Searched;

use std::path::PathBuf;

use cudarc::driver::DriverError;
use gemm_codegen::{Axis, Element, Target};

use crate::place::Place;
use crate::version::Version;

/// Everything that can go wrong between a call and its result.
///
/// Whatever concerns the arguments is found before anything is launched or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A shared library is not on this machine.
    #[error("{name} was not found\n{}help: {help}", Searched::list(.searched))]
    LibraryNotFound {
        /// The library, such as `libnvrtc`.
        name: &'static str,
        /// Where it was looked for, in order.
        searched: Vec<Searched>,
        /// How to get it and how to point to it.
        help: String,
    },

    /// A shared library was found but cannot be opened.
    #[error("{} cannot be opened: {reason}", .path.display())]
    LibraryUnusable {
        /// The file.
        path: PathBuf,
        /// What the system's loader says.
        reason: String,
    },

    /// A shared library lacks a function that every supported version of it has.
    #[error("{library} has no function `{function}`: it is not NVIDIA's, or it is too old")]
    FunctionNotFound {
        /// The name under which the library was opened.
        library: String,
        /// The missing function.
        function: &'static str,
    },

    /// NVRTC refused a kernel.
    #[error(transparent)]
    Compile(#[from] Box<CompileError>),

    /// NVRTC does not know the architecture of the device.
    #[error("NVRTC {nvrtc} does not support {architecture}: use a newer NVRTC")]
    ArchitectureUnknown {
        /// What was asked for.
        architecture: String,
        /// The NVRTC that was asked.
        nvrtc: Version,
    },

    /// The NVRTC that was found is too old for the elements of an operand.
    #[error("{operand}: {element} needs NVRTC {needed} or newer, found NVRTC {nvrtc}")]
    NvrtcTooOld {
        /// The operand or output.
        operand: String,
        /// The type of its elements.
        element: Element,
        /// The oldest NVRTC that compiles what the kernel does with them.
        needed: Version,
        /// The NVRTC that was found.
        nvrtc: Version,
    },

    /// An operand's extent is not the one that another operand has for the same index.
    #[error("{operand}: expected {expected} {dimension} ({} of {given_by}), got {got}", .axis.letter())]
    ShapeMismatch {
        /// The operand that does not fit.
        operand: String,
        /// Which of its extents.
        dimension: Dimension,
        /// The index of the problem it runs along.
        axis: Axis,
        /// The extent that `given_by` has along it.
        expected: usize,
        /// The extent that this operand has along it.
        got: usize,
        /// Whose extent came first.
        given_by: Origin,
    },

    /// What is wrong with a batch, or between batches.
    #[error(transparent)]
    Batch(#[from] BatchError),

    /// A leading dimension is shorter than a row.
    #[error(
        "the leading dimension {leading_dimension} is less than the {columns} elements of a row"
    )]
    LeadingDimension {
        /// Elements from the start of a row to the start of the next.
        leading_dimension: usize,
        /// Elements of a row.
        columns: usize,
    },

    /// The strides of a view are not those of a matrix that is stored row by row.
    #[error(
        "a {rows}×{columns} matrix with strides {strides:?} is not row-major, with strides \
         [{columns} or more, 1]\n{}", parts::strides_help(*.rows, .strides)
    )]
    Strides {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
        /// Elements from a row to the next, and from a column to the next.
        strides: [isize; 2],
    },

    /// A buffer ends before the matrix or vector it should hold.
    #[error(
        "a {rows}×{columns} matrix with leading dimension {leading_dimension} needs {needed} \
         elements, the buffer has {got}"
    )]
    BufferTooSmall {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
        /// Elements from the start of a row to the start of the next.
        leading_dimension: usize,
        /// Elements up to the end of the last row.
        needed: usize,
        /// Elements of the buffer.
        got: usize,
    },

    /// A host slice does not have the length of the matrix or vector it should hold.
    #[error("{operand}: expected {}, got {got}", parts::count(*.expected as u64, "element"))]
    HostLength {
        /// The operand, or what is copied.
        operand: String,
        /// Elements of the matrix or vector.
        expected: usize,
        /// Elements of the slice.
        got: usize,
    },

    /// A part that does not lie within its matrix or vector.
    #[error("{dimension} {start}..{end} are out of range, the limit is {extent}")]
    OutOfRange {
        /// Which extent.
        dimension: Dimension,
        /// First index.
        start: usize,
        /// One past the last index.
        end: usize,
        /// How many there are.
        extent: usize,
    },

    /// A matrix has more bytes than a 64-bit offset can count.
    #[error("{rows} rows of {pitch} elements exceed the address space")]
    SizeOverflow {
        /// Rows of the matrix.
        rows: usize,
        /// Elements from the start of a row to the start of the next.
        pitch: usize,
    },

    /// An operand is in the memory of another device than the one that was asked to compute.
    #[error("{operand}: in the memory of {got}, but the kernel runs on {expected}")]
    DeviceMismatch {
        /// The operand.
        operand: String,
        /// The device that was asked.
        expected: Place,
        /// The device whose memory holds the operand.
        got: Place,
    },

    /// The output shares memory with an operand: blocks would write what others still read.
    #[error("{output}: shares memory with {operand}; an output must not overlap an operand")]
    Overlap {
        /// The output.
        output: String,
        /// The first operand it overlaps.
        operand: String,
    },

    /// Two outputs share memory: each would overwrite what the other has.
    #[error("{output}: shares memory with {other}; outputs must not overlap")]
    OutputsOverlap {
        /// The output.
        output: String,
        /// The first output that it overlaps.
        other: String,
    },

    /// A pointer is not a multiple of its element's size.
    #[error("{operand}: address {address:#x} is not a multiple of the {} bytes of {element}", .element.bytes())]
    Misaligned {
        /// The operand.
        operand: String,
        /// Its address in device memory.
        address: u64,
        /// The type of its elements.
        element: Element,
    },

    /// A kernel with `copy = tma` cannot read an operand: its address or the distance of its rows
    /// is not a multiple of 16 bytes.
    #[error(
        "{operand}: copy = tma requires an address and a row distance that are multiples of 16 \
         bytes, got address {address:#x} and rows {pitch_bytes} bytes apart; copy = cp_async(16, \
         cg) reads any"
    )]
    TensorAlignment {
        /// The operand.
        operand: String,
        /// Its address in device memory.
        address: u64,
        /// Its leading dimension, in bytes.
        pitch_bytes: u64,
    },

    /// A kernel with `copy = tma` cannot read an operand: its rows are too far apart.
    #[error(
        "{operand}: copy = tma reads rows less than {limit} bytes apart, got {pitch_bytes}; \
         copy = cp_async(16, cg) reads any"
    )]
    TensorPitch {
        /// The operand.
        operand: String,
        /// Its leading dimension, in bytes.
        pitch_bytes: u64,
        /// The first leading dimension that is too large, in bytes.
        limit: u64,
    },

    /// An operand holds elements of another type than the kernel reads.
    #[error("{operand}: expected elements of {expected}, got {got}")]
    ElementMismatch {
        /// The operand.
        operand: String,
        /// What the kernel reads or writes.
        expected: Element,
        /// What was passed.
        got: Element,
    },

    /// A matrix was passed for a vector, or the like.
    #[error("{operand}: expected {expected}, got {got}")]
    KindMismatch {
        /// The operand.
        operand: String,
        /// What the kernel takes.
        expected: ArgumentKind,
        /// What was passed.
        got: ArgumentKind,
    },

    /// A kernel was given too many arguments, or too few.
    #[error("{kernel} takes {}, got {got}", parts::count(*.expected as u64, "argument"))]
    ArgumentCount {
        /// The kernel's function.
        kernel: String,
        /// Parameters without the outputs.
        expected: usize,
        /// Arguments without the outputs.
        got: usize,
    },

    /// The parameters of a kernel that was made by hand contradict each other.
    #[error("{kernel}: {what}")]
    Kernel {
        /// The kernel's function.
        kernel: String,
        /// What it lacks.
        what: KernelFault,
    },

    /// M, N or K is larger than a kernel's 32-bit coordinates reach.
    #[error("{} = {extent} exceeds the limit of {}", .axis.letter(), gemm_codegen::MAX_EXTENT)]
    DimensionTooLarge {
        /// Which of them.
        axis: Axis,
        /// How large it is.
        extent: usize,
    },

    /// K has fewer tiles than there are blocks to share them; a K of 0 has none.
    #[error(
        "split_k = {splits}, but k = {k} has only {} of BLK_K = {block_k}",
        parts::count(*.tiles, "tile")
    )]
    TooFewTiles {
        /// Blocks that share a tile of the output.
        splits: u32,
        /// K of the launch.
        k: usize,
        /// How many tiles of BLK_K it has.
        tiles: u64,
        /// BLK_K.
        block_k: u32,
    },

    /// The output needs more blocks than a grid can have.
    #[error("the output needs {blocks} blocks, the limit of a grid is {limit}: use larger tiles")]
    GridTooLarge {
        /// Blocks that the output takes.
        blocks: u64,
        /// The most a grid can have.
        limit: u64,
    },

    /// There is a driver but no GPU.
    #[error("the CUDA driver reports no GPU")]
    NoGpu,

    /// There is no GPU of this number.
    #[error("GPU {ordinal} does not exist: the CUDA driver reports {count}")]
    NoSuchGpu {
        /// The number that was asked for.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },

    /// The device is older than every architecture the kernel is legal on.
    #[error("{kernel} requires {lowest} or newer, but the device is sm_{}{}", .device.0, .device.1)]
    UnsupportedArchitecture {
        /// The kernel's function.
        kernel: String,
        /// The device's compute capability.
        device: (u32, u32),
        /// The oldest architecture the kernel is legal on.
        lowest: Target,
    },

    /// A block needs more shared memory than the device has for one.
    #[error(
        "{kernel} needs {needed} B of shared memory per block, but the device has {available} B"
    )]
    SharedMemory {
        /// The kernel's function.
        kernel: String,
        /// Bytes that a block needs.
        needed: u32,
        /// Bytes that a block can have.
        available: u32,
    },

    /// Device memory is full.
    #[error("{bytes} B of device memory cannot be allocated: it is full")]
    OutOfMemory {
        /// The size of the allocation that failed.
        bytes: usize,
    },

    /// The driver refused the machine code that NVRTC made.
    #[error(
        "the driver (CUDA {driver}) cannot load {entry}, which NVRTC {nvrtc} compiled: use an \
         NVRTC of the driver's major version"
    )]
    Load {
        /// The kernel's entry point.
        entry: String,
        /// The CUDA version of the driver.
        driver: Version,
        /// The version of the compiler.
        nvrtc: Version,
        /// What the driver said.
        source: DriverError,
    },

    /// The CUDA driver reported an error.
    #[error("the CUDA driver reported an error: {0}")]
    Driver(#[from] DriverError),

    /// A text is not a record of a [`Tuning`](crate::Tuning).
    #[error("the tuning record cannot be read: {0}")]
    TuningRecord(Box<toml::de::Error>),

    /// The emulated device found a fault in a kernel.
    #[cfg(feature = "emulator")]
    #[error("{kernel}: {source}")]
    Fault {
        /// The kernel's entry point.
        kernel: String,
        /// What the emulator found, and where.
        source: Box<gemm_emulator::Fault>,
    },

    /// The emulated device found that a kernel did not reset a count in its workspace, on which the
    /// next launch relies.
    #[error("{kernel}: the arrival count of tile {tile} is {count} after the launch, expected 0")]
    CountLeft {
        /// The kernel's entry point.
        kernel: String,
        /// Number of the tile in the grid.
        tile: usize,
        /// Its count.
        count: u32,
    },

    /// The emulator does not support something in the PTX of a kernel.
    #[cfg(feature = "emulator")]
    #[error("the emulator cannot run {kernel}: {source}")]
    Parse {
        /// The kernel's entry point.
        kernel: String,
        /// What it does not support, and where.
        source: Box<gemm_emulator::ParseError>,
    },

    /// The memory of the emulated device reported an error.
    #[cfg(feature = "emulator")]
    #[error("emulated memory: {0}")]
    Memory(#[from] gemm_emulator::MemoryError),
}
