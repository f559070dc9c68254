//! Wrong uses of the instructions of a warpgroup.

use thiserror::Error;

use super::access::Direction;
use super::text::other_text;

/// A wrong use of an instruction of a warpgroup. (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions")
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WarpgroupProblem {
    /// The last warps of a block with a number of threads that is not a multiple of 128.
    #[error("the block has only {warps} of the 4 warps of warpgroup {warpgroup}")]
    Incomplete {
        /// Number of the warpgroup within its block.
        warpgroup: u32,
        /// Warps it has.
        warps: u32,
    },
    /// The warps of a warpgroup execute different instructions.
    #[error(
        "warpgroup {warpgroup} executes different instructions; its first warp is at PTX line {line}"
    )]
    OtherInstruction {
        /// Number of the warpgroup within its block.
        warpgroup: u32,
        /// Where the first of its warps is.
        line: u32,
    },
    /// The warps of a warpgroup give one instruction different operands.
    #[error("{what} differs between the threads of warpgroup {warpgroup}")]
    OtherOperand {
        /// Number of the warpgroup within its block.
        warpgroup: u32,
        /// The operand.
        what: &'static str,
    },
    /// Warps wait for another warp of their warpgroup, which does not come.
    #[error("{waiting} of the 4 warps of warpgroup {warpgroup} execute this, warp {missing} {}",
        if *.exited { "has exited" } else { "waits elsewhere" })]
    NotReached {
        /// Number of the warpgroup within its block.
        warpgroup: u32,
        /// Warps that have come.
        waiting: u32,
        /// Number of the first other warp within the block.
        missing: u32,
        /// Whether that one has exited.
        exited: bool,
    },
    /// `setmaxnreg.inc` to fewer registers than before, or `setmaxnreg.dec` to more.
    #[error(
        "the threads of warpgroup {warpgroup} have {current} registers, this changes them to {count}"
    )]
    Registers {
        /// Number of the warpgroup within its block.
        warpgroup: u32,
        /// Registers of a thread before.
        current: u32,
        /// Registers of a thread after.
        count: u32,
    },
    /// `setmaxnreg.inc` waits for registers that no other warpgroup gives up.
    #[error(
        "warpgroup {warpgroup} waits for {count} registers for each thread, and no warpgroup gives up any; {free} are free"
    )]
    NotGranted {
        /// Number of the warpgroup within its block.
        warpgroup: u32,
        /// Registers it is to have for each thread.
        count: u32,
        /// How many more each of its threads could have.
        free: u32,
    },
    /// A matrix descriptor that no matrix has.
    #[error("matrix descriptor {descriptor:#018x}: {what}")]
    Descriptor {
        /// Its bits.
        descriptor: u64,
        /// The problem.
        what: &'static str,
    },
    /// `wgmma.mma_async` with accumulators that something else has accessed since the last `wgmma.fence`.
    #[error("no wgmma.fence since the accumulators were accessed, or since the kernel began")]
    NoFence,
    /// An instruction accesses an accumulator of a multiplication that was not waited for.
    #[error(
        "{direction} of an accumulator before wgmma.wait_group for the wgmma.mma_async that writes it"
    )]
    AccumulatorInFlight {
        /// Reading or writing.
        direction: Direction,
    },
    /// `wgmma.mma_async` with an A in registers that something else has accessed since the last `wgmma.fence`.
    #[error("no wgmma.fence since the registers of A were accessed, or since the kernel began")]
    FactorNoFence,
    /// An instruction accesses a register that holds A of a multiplication that was not waited for.
    #[error(
        "{direction} of a register of A before wgmma.wait_group for the wgmma.mma_async that reads it"
    )]
    FactorInFlight {
        /// Reading or writing.
        direction: Direction,
    },
    /// `wgmma.mma_async` accumulates in registers of one of another shape that was not waited for.
    #[error(
        "accumulators of a wgmma.mma_async of another shape before wgmma.wait_group for that one"
    )]
    OtherShape,
    /// Shared memory is written without an order after the wait for a multiplication that reads it.
    #[error(
        "write at shared address {address:#x} with no order after wgmma.wait_group for the wgmma.mma_async of warpgroup {warpgroup} that reads it"
    )]
    Overwritten {
        /// The byte in question.
        address: u64,
        /// Number of the warpgroup within its block.
        warpgroup: u32,
    },
    /// `wgmma.mma_async` reads what a thread has stored. What orders threads lies between, but no proxy fence.
    #[error(
        "wgmma.mma_async reads shared address {address:#x} after write by {}, with no fence.proxy.async between",
        other_text(*.other)
    )]
    NotFenced {
        /// The byte in question.
        address: u64,
        /// Number of the other thread within its block; none if there are several.
        other: Option<u32>,
    },
    /// A thread ends before a multiplication that it has issued was waited for.
    #[error("the thread ends without wgmma.wait_group for a wgmma.mma_async")]
    Left,
}
