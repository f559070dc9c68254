//! [`EmulatorOptions`]: the checks, counters and limits of an emulated device.

use gemm_codegen::Target;
use gemm_codegen::auto::Machine;
use gemm_codegen::hardware::A100;
use gemm_emulator::TraceOptions;

/// The checks, counters and limits of an emulated device; see
/// [`Device::emulator_with`](crate::Device::emulator_with).
///
/// ```
/// use gemm_runtime::{Device, EmulatorOptions};
///
/// let options = EmulatorOptions::default().races(false).profile(true);
/// let device = Device::emulator_with(options);
/// assert!(device.last_profile().is_none()); // nothing has been launched yet
/// ```
///
/// Some checks are always on, because the result of a kernel that fails them is undefined: an access is
/// in bounds and aligned, memory is written before it is read, a copy is waited for, and all threads
/// reach a barrier.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EmulatorOptions {
    pub(super) races: bool,
    pub(super) descending_blocks: bool,
    pub(super) seed: u64,
    pub(super) profile: bool,
    pub(super) trace: Option<TraceOptions>,
    pub(super) memory_limit: Option<u64>,
    pub(super) instruction_limit: Option<u64>,
    pub(super) target: Option<Target>,
    pub(super) machine: Option<Machine>,
}

impl Default for EmulatorOptions {
    fn default() -> EmulatorOptions {
        EmulatorOptions {
            races: true,
            descending_blocks: false,
            seed: 0,
            profile: false,
            trace: None,
            memory_limit: None,
            instruction_limit: None,
            target: None,
            machine: None,
        }
    }
}

impl EmulatorOptions {
    /// Whether to find threads that access the same shared memory with no barrier between, and blocks
    /// that access the same global memory in no order. On by default. A launch is faster without; a
    /// race is then not reported, and its result depends on the order in which the emulator runs the
    /// threads.
    pub fn races(mut self, find: bool) -> EmulatorOptions {
        self.races = find;
        self
    }

    /// Whether the blocks of a grid start from the last to the first. Off by default. The order of
    /// blocks is not promised: a result that changes with it is not the same in every run.
    pub fn descending_blocks(mut self, descending: bool) -> EmulatorOptions {
        self.descending_blocks = descending;
        self
    }

    /// The seed of choices that the hardware leaves open: whether a wait at an mbarrier fails while
    /// its phase is incomplete. 0 by default; the same seed gives the same run.
    pub fn seed(mut self, seed: u64) -> EmulatorOptions {
        self.seed = seed;
        self
    }

    /// Whether to count the work of each instruction, for
    /// [`Device::last_profile`](crate::Device::last_profile). Off by default, because it takes time.
    pub fn profile(mut self, count: bool) -> EmulatorOptions {
        self.profile = count;
        self
    }

    /// The block whose pipeline is traced, for [`Device::last_trace`](crate::Device::last_trace). Off by
    /// default, because it takes memory.
    ///
    /// ```
    /// use gemm_runtime::emulator::TraceOptions;
    /// use gemm_runtime::{Device, EmulatorOptions};
    ///
    /// let options = EmulatorOptions::default().trace(TraceOptions::default());
    /// let device = Device::emulator_with(options);
    /// assert!(device.last_trace().is_none()); // nothing has been launched yet
    /// ```
    pub fn trace(mut self, options: TraceOptions) -> EmulatorOptions {
        self.trace = Some(options);
        self
    }

    /// The most bytes that are allocated at a time, 8 GiB by default. An allocation beyond it is
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    pub fn memory_limit(mut self, bytes: u64) -> EmulatorOptions {
        self.memory_limit = Some(bytes);
        self
    }

    /// The most instructions that one warp may execute in a launch. One more is an
    /// [`Error::Fault`](crate::Error::Fault): this stops kernels that never end. By default it
    /// grows with the kernel's tile and with K, so that no launch that ends reaches it.
    pub fn instruction_limit(mut self, instructions: u64) -> EmulatorOptions {
        self.instruction_limit = Some(instructions);
        self
    }

    /// The architecture whose PTX is run. By default `sm_80` where a kernel is legal on it, else
    /// the oldest that it is legal on. A kernel that names `sm_90a` runs as such on `sm_90`.
    ///
    /// As on a GPU, a kernel runs on the architectures it was proved legal on and on newer ones
    /// that have the shared memory; elsewhere it is
    /// [`Error::UnsupportedArchitecture`](crate::Error::UnsupportedArchitecture) or
    /// [`Error::SharedMemory`](crate::Error::SharedMemory).
    pub fn target(mut self, target: Target) -> EmulatorOptions {
        self.target = Some(target);
        self
    }

    /// The machine for which a launch chooses among kernels and deals tiles to blocks. By default an
    /// A100 of the [`target`](Self::target): 108 multiprocessors, 1.41 GHz, 1.555 TB/s.
    pub fn machine(mut self, machine: Machine) -> EmulatorOptions {
        self.machine = Some(machine);
        self
    }

    /// The machine that is set, or the default.
    pub(super) fn machine_or_default(&self) -> Machine {
        let target = self.target.unwrap_or(Target::Sm80);
        self.machine.unwrap_or(Machine { target, ..A100 })
    }
}
