//! Why a launch could not start.

use thiserror::Error;

/// Why a launch could not start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The module has no such kernel.
    #[error("the module has no kernel {entry}")]
    UnknownEntry {
        /// The name asked for.
        entry: String,
    },
    /// Wrong number of arguments.
    #[error("kernel {entry} has {expected} parameters, got {found} arguments")]
    ArgumentCount {
        /// The kernel.
        entry: String,
        /// Parameters declared.
        expected: usize,
        /// Arguments given.
        found: usize,
    },
    /// An argument has the wrong size.
    #[error("parameter {index} of kernel {entry} has {expected} B, got {found} B")]
    ArgumentSize {
        /// The kernel.
        entry: String,
        /// Number of the parameter, from 0.
        index: usize,
        /// Bytes declared.
        expected: u64,
        /// Bytes given.
        found: usize,
    },
    /// The block has no or too many threads.
    #[error("a block of {x} x {y} x {z} threads; kernel {entry} takes 1 to {limit}")]
    BlockSize {
        /// The kernel.
        entry: String,
        /// Extent of the block.
        x: u32,
        /// Extent of the block.
        y: u32,
        /// Extent of the block.
        z: u32,
        /// The most threads in all.
        limit: u64,
    },
    /// The grid has more blocks than a device takes.
    #[error("a grid of {x} x {y} x {z} blocks; the limits are 2147483647 x 65535 x 65535")]
    GridSize {
        /// Extent of the grid.
        x: u32,
        /// Extent of the grid.
        y: u32,
        /// Extent of the grid.
        z: u32,
    },
    /// The cluster has no or too many blocks, or does not divide the grid.
    #[error(
        "clusters of {x} x {y} x {z} blocks; they have 1 to {limit} and divide the grid along each axis"
    )]
    ClusterSize {
        /// Extent of the cluster.
        x: u32,
        /// Extent of the cluster.
        y: u32,
        /// Extent of the cluster.
        z: u32,
        /// The most blocks in all.
        limit: u32,
    },
    /// The kernel is compiled for another cluster.
    #[error("clusters of {given:?} blocks; kernel {entry} is compiled for {expected:?}")]
    ClusterShape {
        /// The kernel.
        entry: String,
        /// Extents given.
        given: [u32; 3],
        /// Extents declared.
        expected: [u32; 3],
    },
    /// An operand of the launch is not a part of an allocation.
    #[error("operand {operand}: {what}")]
    Operand {
        /// Its name.
        operand: String,
        /// The problem.
        what: &'static str,
    },
    /// A block needs more memory on the host than the emulator takes for one.
    #[error("a block of kernel {entry} needs {bytes} B to be emulated; the limit is {limit} B")]
    BlockMemory {
        /// The kernel.
        entry: String,
        /// Its registers, local and shared memory, and what is kept of each instruction.
        bytes: u64,
        /// The most there is.
        limit: u64,
    },
    /// More shared memory than any device gives a block.
    #[error("kernel {entry} needs {bytes} B of shared memory, a block has at most {limit} B")]
    SharedMemory {
        /// The kernel.
        entry: String,
        /// Static and dynamic bytes.
        bytes: u64,
        /// The most there is.
        limit: u64,
    },
}
