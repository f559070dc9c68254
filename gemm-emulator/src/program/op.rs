//! The decoded instructions.
//!
//! Fields named `d` are destinations, `a b c` sources: indices into the register file of the class that the operation
//! and its type imply.

use super::alu::{FloatOp, IntegerOp};
use super::bulk::{Mbarrier, TensorCopy};
use super::matrix::{MatrixMove, Multiply};
use super::moves::MoveOp;
use super::parts::*;

/// "No guard" in [`Instruction::guard`].
pub(crate) const UNGUARDED: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    /// The predicate that enables it, or [`UNGUARDED`].
    pub(crate) guard: u32,
    pub(crate) guard_negated: bool,
}

#[derive(Debug)]
pub(crate) enum Op {
    Nop,
    Move(MoveOp),
    Integer(IntegerOp),
    Float(FloatOp),
    Memory(MemoryOp),
    Control(ControlOp),
    Collective(CollectiveOp),
    Mbarrier(Box<Mbarrier>),
}

impl From<Mbarrier> for Op {
    fn from(op: Mbarrier) -> Op {
        Op::Mbarrier(Box::new(op))
    }
}

impl From<MemoryOp> for Op {
    fn from(op: MemoryOp) -> Op {
        Op::Memory(op)
    }
}

/// Access to memory.
#[derive(Debug)]
pub(crate) enum MemoryOp {
    Load {
        access: Access,
        d: [u32; 4],
    },
    Store {
        access: Access,
        a: [u32; 4],
    },
    /// Both `atom` and `red`; the latter's result goes to a slot that nothing reads.
    Atomic {
        access: AtomicAccess,
        d: u32,
        a: u32,
        b: u32,
    },
    /// A fence between all threads of the device.
    Fence,
    /// A fence that shows mbarriers that were initialised to copies.
    MbarrierFence,
    /// One between what threads do in shared memory and what tensor copies do. It shows mbarriers too.
    ProxyFence,
    TensorCopy(Box<TensorCopy>),
    AsyncCopy(Box<AsyncCopy>),
    AsyncCommit,
    /// Waits until at most this many of the newest groups are in flight.
    AsyncWait {
        groups: u32,
    },
    AsyncWaitAll,
}

impl From<ControlOp> for Op {
    fn from(op: ControlOp) -> Op {
        Op::Control(op)
    }
}

/// What decides where a thread goes on.
#[derive(Debug)]
pub(crate) enum ControlOp {
    Branch {
        target: u32,
    },
    BranchIndexed {
        table: u32,
        index: u32,
    },
    Exit,
    Trap,
    /// `griddepcontrol.wait`: until the predecessor has ended, which it has.
    WaitForPredecessor,
    /// `griddepcontrol.launch_dependents`: the next grid may start.
    LaunchDependents,
}

impl From<CollectiveOp> for Op {
    fn from(op: CollectiveOp) -> Op {
        Op::Collective(op)
    }
}

/// Warp-wide and block-wide instructions.
#[derive(Debug)]
pub(crate) enum CollectiveOp {
    Barrier(Barrier),
    BarrierWarp { members: u32 },
    Shuffle { f: Shuffle, d: u32, p: u32, a: u32, b: u32, c: u32, members: u32 },
    Vote { f: Vote, d: u32, a: PredicateUse, members: u32 },
    ActiveMask { d: u32 },
    Elect { d: u32, p: u32, members: u32 },
    LoadMatrix(MatrixMove),
    StoreMatrix(MatrixMove),
    Multiply(Box<Multiply>),
}
