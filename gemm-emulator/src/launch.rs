//! A launch and its options.

use std::fmt;

use crate::operand::Operand;
use crate::trace::TraceOptions;

/// How far a launch has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Blocks that have run to their end.
    pub done: u64,
    /// Blocks of the grid.
    pub total: u64,
}

/// A kernel with its grid and arguments.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// Name of the kernel.
    pub entry: &'a str,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Blocks of a cluster along x, y, z, at most [`Launch::MAX_CLUSTER`] in all; it divides the grid. `None`: as the
    /// kernel says by `__cluster_dims__`, else each block is a cluster of its own.
    pub cluster: Option<[u32; 3]>,
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
    /// The bytes of each parameter, little endian.
    pub arguments: &'a [Vec<u8>],
    /// The global memory that the kernel may access besides the variables of its module. `None`: every allocation.
    pub operands: Option<&'a [Operand]>,
    /// Whether the kernel may start before its predecessor has ended (programmatic stream serialization). A thread may
    /// then touch nothing but [early](Operand::early) operands until it has passed `griddepcontrol.wait`.
    pub overlaps: bool,
    /// Decides what the hardware leaves open: whether a wait at an mbarrier fails while its phase is incomplete, in which
    /// order the blocks of a cluster run, when tensor copies land. With 0 they land as late as possible, where what is
    /// wrong is told best.
    pub seed: u64,
    /// The most instructions one warp may execute, against kernels that do not end. How long a launch may take is that
    /// times the warps of all blocks, so for a large grid give as few as the kernel needs.
    pub instruction_limit: u64,
    /// Whether to look for races, which takes time: of threads in shared memory, of blocks in global memory.
    pub find_races: bool,
    /// Whether the blocks of the grid start from the last to the first. A result that differs depends on the order of
    /// blocks, which nobody promises. Without, they start in order, so that a block may wait for one of a lower number.
    pub descending_blocks: bool,
    /// Whether to count what each instruction does, which takes time.
    pub profile: bool,
    /// The block whose pipeline is traced, see [`Statistics::trace`](crate::Statistics::trace).
    pub trace: Option<TraceOptions>,
    /// Called from worker threads after each block.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl<'a> Launch<'a> {
    /// The most blocks of a cluster that every device with clusters takes.
    pub const MAX_CLUSTER: u32 = 8;

    /// A launch without arguments and dynamic shared memory; set the other fields with struct update syntax.
    pub fn new(entry: &'a str, grid: [u32; 3], block: [u32; 3]) -> Launch<'a> {
        Launch {
            entry,
            grid,
            block,
            cluster: None,
            shared_bytes: 0,
            arguments: &[],
            operands: None,
            overlaps: false,
            seed: 0,
            instruction_limit: 1 << 28,
            find_races: true,
            descending_blocks: false,
            profile: false,
            trace: None,
            progress: None,
        }
    }
}

impl fmt::Debug for Launch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("entry", &self.entry)
            .field("grid", &self.grid)
            .field("block", &self.block)
            .field("cluster", &self.cluster)
            .field("shared_bytes", &self.shared_bytes)
            .field("arguments", &self.arguments)
            .field("operands", &self.operands)
            .field("overlaps", &self.overlaps)
            .field("seed", &self.seed)
            .field("instruction_limit", &self.instruction_limit)
            .field("find_races", &self.find_races)
            .field("descending_blocks", &self.descending_blocks)
            .field("profile", &self.profile)
            .field("trace", &self.trace)
            .finish_non_exhaustive()
    }
}
