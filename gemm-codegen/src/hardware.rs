//! Hardware numbers, each with its source. Nothing else in the crate knows a limit of a GPU.

use std::fmt;

/// Threads of a warp (PTX ISA, "Thread hierarchy").
pub const WARP: u32 = 32;

/// Threads a block can have at most (CUDA C++ Programming Guide, "Technical specifications per
/// compute capability").
pub const MAX_THREADS_PER_BLOCK: u32 = 1024;

/// 32-bit registers of a thread at most (same table).
pub const MAX_REGISTERS_PER_THREAD: u32 = 255;

/// 32-bit registers of an SM, which is also the most one block can have (same table).
pub const REGISTERS_PER_SM: u32 = 65_536;

/// Registers are given to a warp in units of this many, so to a thread in units of 8
/// (CUDA occupancy calculator, "register allocation unit size").
pub const REGISTER_UNIT_PER_WARP: u32 = 256;

/// Banks of shared memory, each [`BANK_BYTES`] wide (CUDA C++ Programming Guide, "Shared memory").
pub const BANKS: u32 = 32;

/// Bytes a bank delivers in one pass.
pub const BANK_BYTES: u32 = 4;

/// Blocks of a grid in x at most (CUDA C++ Programming Guide, same table as the threads).
pub const MAX_GRID_X: u64 = (1 << 31) - 1;

/// An architecture a kernel can be asked to be legal on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Target {
    Sm75,
    Sm80,
    Sm86,
    Sm87,
    Sm89,
    Sm90,
    Sm100,
    Sm103,
    Sm110,
    Sm120,
    Sm121,
}

/// What one architecture has (CUDA C++ Programming Guide, "Technical specifications per compute
/// capability"; the opt-in limit of shared memory is `cudaDevAttrMaxSharedMemoryPerBlockOptin`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Shared memory of one block in bytes, after opting in.
    pub shared_bytes_per_block: u32,
    /// Shared memory of an SM in bytes.
    pub shared_bytes_per_sm: u32,
    /// Shared memory the system takes from an SM for each block, in bytes: none before sm_80 (CUDA
    /// C++ Programming Guide, "Compute Capability 8.x, shared memory").
    pub reserved_shared_bytes_per_block: u32,
    /// Threads resident on an SM.
    pub threads_per_sm: u32,
    /// Blocks resident on an SM.
    pub blocks_per_sm: u32,
}

impl Target {
    /// Every architecture, oldest first.
    pub const ALL: [Target; 11] = [
        Target::Sm75,
        Target::Sm80,
        Target::Sm86,
        Target::Sm87,
        Target::Sm89,
        Target::Sm90,
        Target::Sm100,
        Target::Sm103,
        Target::Sm110,
        Target::Sm120,
        Target::Sm121,
    ];

    /// The targets of a spec that names none: Ampere, Ada and Hopper.
    pub const DEFAULT: [Target; 4] = [Target::Sm80, Target::Sm86, Target::Sm89, Target::Sm90];

    /// The name in `targets`, which is also what NVRTC calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Sm75 => "sm_75",
            Target::Sm80 => "sm_80",
            Target::Sm86 => "sm_86",
            Target::Sm87 => "sm_87",
            Target::Sm89 => "sm_89",
            Target::Sm90 => "sm_90",
            Target::Sm100 => "sm_100",
            Target::Sm103 => "sm_103",
            Target::Sm110 => "sm_110",
            Target::Sm120 => "sm_120",
            Target::Sm121 => "sm_121",
        }
    }

    /// The target of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|t| t.name() == name)
    }

    /// The target of a device's compute capability, if we know it.
    pub fn from_capability(major: u32, minor: u32) -> Option<Target> {
        Target::from_name(&format!("sm_{}", major * 10 + minor))
    }

    /// Whether its tensor cores take 8-bit floats from the registers of `mma.sync`. Where they do not,
    /// ptxas makes halves of them and multiplies those (seen in its SASS for each of these).
    pub const fn multiplies_float8(self) -> bool {
        matches!(self, Target::Sm89 | Target::Sm120 | Target::Sm121)
    }

    /// What it has.
    pub const fn limits(self) -> Limits {
        let (block, sm_kib, threads, blocks) = match self {
            Target::Sm75 => (65_536, 64, 1024, 16),
            Target::Sm80 => (166_912, 164, 2048, 32),
            Target::Sm87 => (166_912, 164, 1536, 16),
            Target::Sm86 => (101_376, 100, 1536, 16),
            Target::Sm89 | Target::Sm120 | Target::Sm121 => (101_376, 100, 1536, 24),
            Target::Sm90 | Target::Sm100 | Target::Sm103 | Target::Sm110 => {
                (232_448, 228, 2048, 32)
            }
        };
        Limits {
            shared_bytes_per_block: block,
            shared_bytes_per_sm: sm_kib * 1024,
            reserved_shared_bytes_per_block: if matches!(self, Target::Sm75) { 0 } else { 1024 },
            threads_per_sm: threads,
            blocks_per_sm: blocks,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
