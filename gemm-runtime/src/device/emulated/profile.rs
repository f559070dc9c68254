//! [`LaunchProfile`]: the emulator's counts of a launch.

mod text;

use std::time::Duration;

use gemm_codegen::Target;
use gemm_emulator::Statistics;

use crate::shape::Shape;

/// The emulator's counts of one launch; see [`Device::last_profile`](crate::Device::last_profile).
///
/// Its `Display` is a page: instructions by kind, sectors of global memory, and the source lines with
/// bank conflicts, the worst first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaunchProfile {
    /// The kernel's entry point.
    pub kernel: String,
    /// M, N, K of the arguments.
    pub shape: Shape,
    /// Matrices of the output; 1 for a single matrix.
    pub batch: usize,
    /// Blocks of the grid.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// The architecture whose PTX was run.
    pub target: Target,
    /// How long the emulator took, without the compilation.
    pub elapsed: Duration,
    /// The counts; `profile` has them for each instruction.
    pub statistics: Statistics,
}
