//! Counts of a launch.

use std::ops::AddAssign;

use crate::profile::Profile;
use crate::trace::Trace;

/// Counts over all blocks of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Instructions executed, counted once for each warp (or diverged part of one) that executes them.
    pub instructions: u64,
    /// `mma` instructions, once a warp.
    pub matrix_multiplies: u64,
    /// Bytes loaded from global memory, `cp.async` included, summed over the threads.
    pub global_bytes_loaded: u64,
    /// Bytes stored to global memory, summed over the threads.
    pub global_bytes_stored: u64,
    /// Bytes loaded from shared memory, `ldmatrix` included, summed over the threads.
    pub shared_bytes_loaded: u64,
    /// Bytes stored to shared memory, `cp.async` included, summed over the threads.
    pub shared_bytes_stored: u64,
    /// Barriers of the block that were completed.
    pub barriers: u64,
    /// Counts of each instruction, if the launch asked for them.
    pub profile: Option<Profile>,
    /// The events of a block, if the launch asked for them and the grid has that block.
    pub trace: Option<Trace>,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.instructions += other.instructions;
        self.matrix_multiplies += other.matrix_multiplies;
        self.global_bytes_loaded += other.global_bytes_loaded;
        self.global_bytes_stored += other.global_bytes_stored;
        self.shared_bytes_loaded += other.shared_bytes_loaded;
        self.shared_bytes_stored += other.shared_bytes_stored;
        self.barriers += other.barriers;
    }
}
