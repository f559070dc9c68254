//! Hardware numbers, each with its source. Nothing else in the crate knows a limit of a GPU.

use std::fmt;

/// What the speed of a kernel depends on, of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// Its architecture.
    pub target: Target,
    /// Streaming multiprocessors.
    pub processors: u32,
    /// Cycles a second of a multiprocessor.
    pub clock: f64,
    /// Bytes a second of its memory.
    pub memory: f64,
}

/// An A100 with 40 GB (NVIDIA A100 datasheet: multiprocessors, boost clock, memory bandwidth).
pub const A100: Machine =
    Machine { target: Target::Sm80, processors: 108, clock: 1.41e9, memory: 1.555e12 };

/// An H200 as the driver describes it: its clock, and its memory's bandwidth by memory clock and bus width.
pub const H200: Machine =
    Machine { target: Target::Sm90, processors: 132, clock: 1.98e9, memory: 4.917e12 };

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

/// Dimensions of a tensor that the copy unit reads: rows, columns and the indices of a batch (CUDA Driver
/// API, "cuTensorMapEncodeTiled", `tensorRank`).
pub const MAX_TENSOR_RANK: usize = 5;

/// An architecture a kernel can be asked to be legal on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Target {
    Sm75,
    Sm80,
    Sm86,
    Sm87,
    Sm89,
    Sm90,
    Sm90a,
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
    /// Every architecture in the order of compute capabilities, an architecture-specific one after the
    /// general one.
    pub const ALL: [Target; 12] = [
        Target::Sm75,
        Target::Sm80,
        Target::Sm86,
        Target::Sm87,
        Target::Sm89,
        Target::Sm90,
        Target::Sm90a,
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
            Target::Sm90a => "sm_90a",
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

    /// The compute capability of its devices, major and minor.
    pub const fn capability(self) -> (u32, u32) {
        match self {
            Target::Sm75 => (7, 5),
            Target::Sm80 => (8, 0),
            Target::Sm86 => (8, 6),
            Target::Sm87 => (8, 7),
            Target::Sm89 => (8, 9),
            Target::Sm90 | Target::Sm90a => (9, 0),
            Target::Sm100 => (10, 0),
            Target::Sm103 => (10, 3),
            Target::Sm110 => (11, 0),
            Target::Sm120 => (12, 0),
            Target::Sm121 => (12, 1),
        }
    }

    /// Whether its code runs on devices of its own compute capability alone (CUDA C++ Programming Guide,
    /// "Architecture-Specific Features").
    pub const fn is_architecture_specific(self) -> bool {
        matches!(self, Target::Sm90a)
    }

    /// Whether devices of this compute capability run what is legal on it.
    pub fn runs_on(self, capability: (u32, u32)) -> bool {
        match self.is_architecture_specific() {
            true => capability == self.capability(),
            false => capability >= self.capability(),
        }
    }

    /// Whether a kernel can start on it before its predecessor in the stream has ended (PTX ISA, "griddepcontrol").
    pub const fn starts_kernels_early(self) -> bool {
        self.capability().0 >= 9
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
            Target::Sm90 | Target::Sm90a | Target::Sm100 | Target::Sm103 | Target::Sm110 => {
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

/// The targets that have a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Availability {
    /// This one and all of later compute capabilities.
    Since(Target),
    /// This one alone.
    Only(Target),
}

impl Availability {
    /// Whether a target has the feature.
    pub fn includes(self, target: Target) -> bool {
        match self {
            Availability::Since(first) => target.capability() >= first.capability(),
            Availability::Only(only) => target == only,
        }
    }

    /// How many of some targets lack the feature.
    pub fn lacking(self, targets: &[Target]) -> usize {
        targets.iter().filter(|target| !self.includes(**target)).count()
    }
}

/// The first target, or the only one.
impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Availability::Since(target) | Availability::Only(target)) = self;
        target.fmt(f)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
