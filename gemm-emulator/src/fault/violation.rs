//! Actions that are forbidden to a kernel.

use thiserror::Error;

use super::access::{Allocation, Direction, Nearest};
use super::mbarrier::waits_text;
use super::text::{missing_text, nearest_text, operand_text, other_text};
use super::{
    BarrierWait, ClusterProblem, MbarrierProblem, PhaseWait, TensorStoreProblem, WarpProblem,
    WarpgroupProblem,
};
use crate::ptx::Space;

/// Actions that are forbidden to a kernel.
///
/// In a cluster, numbers of threads count on from block to block, by the ranks of the blocks. An address in the shared
/// memory of another block has that block's rank plus 1 in bits 24 and up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// An access outside of what was allocated or declared, or of the operands of a launch that names them.
    #[error("{direction} of {bytes} B at {space} address {address:#x} is out of bounds{}", nearest_text(*.address, .nearest))]
    OutOfBounds {
        /// The address space.
        space: Space,
        /// Its first byte.
        address: u64,
        /// Its length.
        bytes: u32,
        /// Reading or writing.
        direction: Direction,
        /// The nearest bytes that may be accessed, in global memory.
        nearest: Option<Nearest>,
    },
    /// An access to memory that the host has freed.
    #[error(
        "{direction} of {bytes} B at global address {address:#x}, in an allocation that was freed"
    )]
    UseAfterFree {
        /// Its first byte.
        address: u64,
        /// Its length.
        bytes: u32,
        /// Reading or writing.
        direction: Direction,
        /// The freed allocation.
        freed: Allocation,
    },
    /// An address that is not a multiple of the access's size.
    #[error("{direction} of {bytes} B at {space} address {address:#x} is misaligned")]
    Misaligned {
        /// The address space.
        space: Space,
        /// Its first byte.
        address: u64,
        /// Its length, and the alignment needed.
        bytes: u32,
        /// Reading or writing.
        direction: Direction,
    },
    /// A read of memory that nothing has written.
    #[error("read of {bytes} B at {space} address {address:#x}, which was never written")]
    Uninitialized {
        /// The address space.
        space: Space,
        /// The first byte of the access.
        address: u64,
        /// Its length.
        bytes: u32,
    },
    /// An access of a thread that has not waited for the predecessor kernel, which may still write or read there.
    #[error(
        "{direction} of {bytes} B at global address {address:#x} before griddepcontrol.wait{}",
        operand_text(.operand)
    )]
    BeforePredecessor {
        /// Its first byte.
        address: u64,
        /// Its length.
        bytes: u32,
        /// Reading or writing.
        direction: Direction,
        /// The operand it lies in, if it is one.
        operand: Option<String>,
    },
    /// A thread ends without having waited for the predecessor, which a successor that waits for this grid relies on.
    #[error("thread ends without griddepcontrol.wait in a launch that overlaps its predecessor")]
    EndsBeforePredecessor,
    /// A thread lets the next grid start before it has waited: the next grid would overlap the predecessor too.
    #[error(
        "griddepcontrol.launch_dependents before griddepcontrol.wait in a launch that overlaps its predecessor"
    )]
    DependentsBeforePredecessor,
    /// Memory that the grid both reads by `ld.global.nc`, which may give an old value, and writes.
    #[error(
        "{direction} of {bytes} B at global address {address:#x}, which the grid both writes and reads by ld.global.nc"
    )]
    NonCoherent {
        /// The first byte of the access.
        address: u64,
        /// Its length.
        bytes: u32,
        /// Of the access that came second.
        direction: Direction,
    },
    /// A store to constant memory, to a parameter, or to an operand that the launch only lets be read.
    #[error("write of {bytes} B at {space} address {address:#x}, which is read-only{}", operand_text(.operand))]
    ReadOnly {
        /// The address space.
        space: Space,
        /// Its first byte.
        address: u64,
        /// Its length.
        bytes: u32,
        /// The operand it lies in, if it is one.
        operand: Option<String>,
    },
    /// An access to the destination of a `cp.async` before its thread has waited for it.
    #[error(
        "{direction} at shared address {address:#x} before thread {copier} has waited for its cp.async to there"
    )]
    CopyInFlight {
        /// The byte in question.
        address: u64,
        /// Reading or writing.
        direction: Direction,
        /// Number of the thread that copies, within its block.
        copier: u32,
    },
    /// A read of what another thread has copied and waited for, but with no barrier since.
    #[error(
        "read at shared address {address:#x} of what thread {copier} copied by cp.async, with no barrier since its wait"
    )]
    CopyNotPublished {
        /// The byte in question.
        address: u64,
        /// Number of the thread that copied, within its block.
        copier: u32,
    },
    /// An access to the destination of a tensor copy that is not ordered after a wait for the copy's phase.
    #[error(
        "{direction} at shared address {address:#x} before the wait at mbarrier {barrier:#x} for the tensor copy to there, which thread {copier} started"
    )]
    TensorCopyInFlight {
        /// The byte in question.
        address: u64,
        /// Reading or writing.
        direction: Direction,
        /// Number of the thread that started the copy, within its block.
        copier: u32,
        /// Address of the mbarrier.
        barrier: u64,
    },
    /// The tensor copy goes where a thread has loaded or stored, with what orders threads between, but no proxy fence.
    #[error(
        "tensor copy to shared address {address:#x} after {other_direction} by {}, with no fence.proxy.async between",
        other_text(*.other)
    )]
    TensorCopyNotFenced {
        /// The byte in question.
        address: u64,
        /// Number of the other thread within its block; none if there are several.
        other: Option<u32>,
        /// The direction of the other access.
        other_direction: Direction,
    },
    /// The block ends before a tensor copy that it started was waited for.
    #[error(
        "the block ends and nothing has waited at mbarrier {barrier:#x} for the copy to shared address {address:#x}"
    )]
    TensorCopyLeft {
        /// Its destination.
        address: u64,
        /// Address of the mbarrier.
        barrier: u64,
    },
    /// A tensor copy whose map is none.
    #[error("tensor map at {space} address {address:#x}: {what}")]
    BadTensorMap {
        /// The address space.
        space: Space,
        /// The address.
        address: u64,
        /// The problem.
        what: &'static str,
    },
    /// A wrong use of an mbarrier.
    #[error("mbarrier at shared address {barrier:#x}: {problem}")]
    Mbarrier {
        /// Its address.
        barrier: u64,
        /// The problem.
        problem: MbarrierProblem,
    },
    /// A wrong use of a tensor store.
    #[error(transparent)]
    TensorStore(TensorStoreProblem),
    /// A wrong use of a cluster.
    #[error(transparent)]
    Cluster(ClusterProblem),
    /// A wrong use of an instruction of a warpgroup.
    #[error(transparent)]
    Warpgroup(WarpgroupProblem),
    /// All threads that have not exited wait, some for phases of mbarriers that therefore never complete.
    #[error("no thread can run; {}", waits_text(.waits, .barriers))]
    MbarrierDeadlock {
        /// The phases they wait for, each once.
        waits: Vec<PhaseWait>,
        /// The barriers of the block that others wait at.
        barriers: Vec<BarrierWait>,
    },
    /// Two threads touch a byte of shared memory, one of them writes, and no barrier lies between.
    #[error(
        "race: {direction} at shared address {address:#x} after {} by {}, with no barrier between", .other_direction, other_text(*.other)
    )]
    Race {
        /// The byte in question.
        address: u64,
        /// The direction of this access.
        direction: Direction,
        /// Number of the other thread within its block; none if there are several.
        other: Option<u32>,
        /// The direction of the other access.
        other_direction: Direction,
    },
    /// Two blocks store to a byte of global memory, or one loads what another has stored, and nothing orders the two.
    #[error(
        "race: {direction} of {bytes} B at global address {address:#x}, where block {other} of the grid has written"
    )]
    BlockRace {
        /// Its first byte.
        address: u64,
        /// Its length.
        bytes: u32,
        /// The direction of this access.
        direction: Direction,
        /// Number of the other block in the grid, x first.
        other: u32,
    },
    /// A `cp.async` that is to read more than it writes.
    #[error("cp.async of {bytes} B with a source size of {source_bytes} B")]
    CopySize {
        /// Bytes it writes.
        bytes: u32,
        /// Bytes it is to read.
        source_bytes: u32,
    },
    /// Threads wait at a barrier that others never reach.
    #[error("{waiting} threads wait at barrier {barrier}, {expected} are expected; {}", missing_text(*.missing, *.exited))]
    BarrierNotReached {
        /// Number of the barrier.
        barrier: u32,
        /// Threads that arrived.
        waiting: u32,
        /// Threads it takes.
        expected: u32,
        /// Number of the first thread that did not arrive; none if all of the block did.
        missing: Option<u32>,
        /// Whether that one has exited; else it waits elsewhere.
        exited: bool,
    },
    /// A barrier instruction with a number or a count that is not allowed.
    #[error("barrier {barrier} with {threads} threads: {what}")]
    BadBarrier {
        /// Number of the barrier.
        barrier: u32,
        /// Count given, or the threads of the block.
        threads: u32,
        /// The problem.
        what: &'static str,
    },
    /// A wrong use of an instruction of a warp.
    #[error(transparent)]
    Warp(WarpProblem),
    /// An operand that must be the same in all lanes is not, or is out of range.
    #[error("{what}: {value}")]
    BadOperand {
        /// The problem.
        what: &'static str,
        /// The value.
        value: u32,
    },
    /// A warp has executed more instructions than the launch allows.
    #[error("a warp has executed {limit} instructions, the limit of this launch")]
    InstructionLimit {
        /// The limit.
        limit: u64,
    },
    /// The kernel executed `trap`.
    #[error("the kernel executed trap")]
    Trap,
}
