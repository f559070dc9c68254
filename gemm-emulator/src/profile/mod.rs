//! Counts of each instruction of a launch: executions, and traffic with the memories.
//!
//! The counts are those of the hardware's own counters, as far as a PTX text decides them. Which of them agree with a
//! profiler's, and where not and why, is a table in the repository's `docs/emulator.md`.

mod class;
mod global;
mod recorder;
mod shared;

use std::ops::AddAssign;
use std::sync::Arc;

use crate::fault::SourceLine;

pub use class::Class;
pub(crate) use recorder::Recorder;
pub(crate) use shared::{wavefronts, wavefronts_of_rows};

/// The profile of a launch, see [`Launch::profile`](crate::Launch::profile).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The instructions of the kernel in the order of the PTX text, those never executed included. Device functions
    /// that are called appear once for each call.
    pub instructions: Vec<InstructionProfile>,
}

impl Profile {
    /// The sum over all instructions.
    pub fn total(&self) -> Count {
        self.sum(|_| true)
    }

    /// The sum over the instructions of one class.
    pub fn of_class(&self, class: Class) -> Count {
        self.sum(|instruction| instruction.class == class)
    }

    /// The sum over the instructions that `counts`.
    pub fn sum(&self, counts: impl Fn(&InstructionProfile) -> bool) -> Count {
        let mut sum = Count::default();
        self.instructions.iter().filter(|one| counts(one)).for_each(|one| sum += one.count);
        sum
    }
}

/// The counts of one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstructionProfile {
    /// The opcode with its modifiers: `ldmatrix.sync.aligned.m8n8.x4.shared.b16`.
    pub opcode: String,
    /// Its kind.
    pub class: Class,
    /// Line of the PTX text, from 1.
    pub ptx_line: u32,
    /// Line of the CUDA source and the calls that were inlined around it, innermost first; empty if the PTX does not
    /// tell.
    pub source: Arc<[SourceLine]>,
    /// Its counts.
    pub count: Count,
}

/// Sums over executions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// Executions, one per warp (or diverged part of one), whether or not a guard lets its threads
    /// pass.
    pub executed: u64,
    /// Threads that execute it, those held back by a guard not counted.
    pub threads: u64,
    /// Traffic with shared memory.
    pub shared: SharedTraffic,
    /// Traffic with global memory.
    pub global: GlobalTraffic,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.executed += other.executed;
        self.threads += other.threads;
        self.shared += other.shared;
        self.global += other.global;
    }
}

/// Accesses to shared memory, which 32 banks of 4 bytes serve (CUDA C++ Programming Guide, "Shared memory").
///
/// The lanes of a warp are served in groups: 8 lanes of 16 bytes, 16 of 8, 32 of 4 or less, and the 8 rows of each
/// matrix of an `ldmatrix`. Two neighbouring groups are served as one where of each lane the neighbour, or of each lane
/// the neighbour but one, takes no part or, in a load, is at the same place. A group takes one wavefront for each
/// different word that the busiest bank has to deliver.
///
/// The groups are not documented; they are what an H200 was measured to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharedTraffic {
    /// Executions in which at least one thread takes part.
    pub requests: u64,
    /// Groups of lanes served: the wavefronts there would be without conflicts.
    pub groups: u64,
    /// Wavefronts.
    pub wavefronts: u64,
    /// The most wavefronts of one group; 1 is free of conflicts.
    pub most_per_group: u32,
    /// Bytes, summed over the threads.
    pub bytes: u64,
}

impl SharedTraffic {
    /// Wavefronts beyond one for each group.
    pub fn conflicts(&self) -> u64 {
        self.wavefronts - self.groups
    }
}

impl AddAssign for SharedTraffic {
    fn add_assign(&mut self, other: SharedTraffic) {
        self.requests += other.requests;
        self.groups += other.groups;
        self.wavefronts += other.wavefronts;
        self.most_per_group = self.most_per_group.max(other.most_per_group);
        self.bytes += other.bytes;
    }
}

/// Accesses to global memory.
///
/// A `cp.async` past L1 (`.cg`) fetches a sector once for each place in shared memory that it goes to: two lanes that
/// copy the halves of a sector to anything but the two halves of an aligned 32 bytes, in either order, fetch it twice.
/// That is not documented; it is what an H200 was measured to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GlobalTraffic {
    /// Executions in which at least one byte is touched.
    pub requests: u64,
    /// Different sectors of 32 bytes, summed over the requests.
    pub sectors: u64,
    /// Different lines of 128 bytes, summed over the requests.
    pub lines: u64,
    /// Bytes, summed over the threads.
    pub bytes: u64,
}

impl AddAssign for GlobalTraffic {
    fn add_assign(&mut self, other: GlobalTraffic) {
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.lines += other.lines;
        self.bytes += other.bytes;
    }
}
