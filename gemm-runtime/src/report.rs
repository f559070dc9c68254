//! [`Report`]: what a loaded kernel costs.

use std::fmt;

/// What a compiled kernel costs on a device.
///
/// On a GPU the numbers are the driver's; on the emulator they are what `ptxas` said of the
/// architecture that is emulated, and the occupancy is computed from that architecture's limits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Name of the kernel's entry point.
    pub entry: String,
    /// The architecture it was compiled for, such as `sm_90`.
    pub architecture: String,
    /// Threads of a block.
    pub threads: u32,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Local memory of a thread in bytes: its stack frame, which holds the spills.
    pub local_bytes: u32,
    /// Bytes that a thread stores to local memory for want of registers.
    pub spill_store_bytes: u32,
    /// Bytes that a thread loads from local memory for want of registers.
    pub spill_load_bytes: u32,
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared_bytes: u32,
    /// Blocks that an SM holds at a time.
    pub blocks_per_sm: u32,
}

impl Report {
    /// Whether the kernel ran out of registers: it is right, and slower than it could be.
    pub fn spills(&self) -> bool {
        self.spill_store_bytes > 0 || self.spill_load_bytes > 0
    }

    /// Says that the kernel was loaded, and warns if it spills.
    pub(crate) fn trace(&self) {
        if self.spills() {
            tracing::warn!("too few registers: {self}");
        } else {
            tracing::debug!("loaded {self}");
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({}): {} threads, {} registers, {} B spilled, {} B shared memory, {} blocks per SM",
            self.entry,
            self.architecture,
            self.threads,
            self.registers,
            self.spill_store_bytes + self.spill_load_bytes,
            self.shared_bytes,
            self.blocks_per_sm,
        )
    }
}
