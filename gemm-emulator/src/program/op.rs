//! The decoded instructions.
//!
//! Fields named `d` are destinations, `a b c` sources: indices into the register file of the class that the operation
//! and its type imply.

use super::alu::{FloatOp, IntegerOp};
use super::bulk::{BulkWait, Mbarrier, TensorCopy, TensorStore};
use super::matrix::{MatrixMove, Multiply};
use super::moves::MoveOp;
use super::order::{ClusterOp, MemoryFence};
use super::parts::*;
use super::warpgroup::WarpgroupOp;

/// "No guard" in [`Instruction::guard`].
pub(crate) const UNGUARDED: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    /// The predicate that enables it, or [`UNGUARDED`].
    pub(crate) guard: u32,
    pub(crate) guard_negated: bool,
    /// Whether [`Program::touches`](super::Program::touches) has accumulators for it.
    pub(crate) touches: bool,
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
    Cluster(ClusterOp),
    Warpgroup(WarpgroupOp),
}

macro_rules! from_kind {
    ($($variant:ident($kind:ty)),*) => {$(
        impl From<$kind> for Op {
            fn from(op: $kind) -> Op {
                Op::$variant(op.into())
            }
        }
    )*};
}

from_kind! {
    Move(MoveOp), Integer(IntegerOp), Float(FloatOp), Memory(MemoryOp), Control(ControlOp),
    Collective(CollectiveOp), Mbarrier(Mbarrier), Cluster(ClusterOp), Warpgroup(WarpgroupOp)
}

/// Access to memory.
#[derive(Debug)]
pub(crate) enum MemoryOp {
    /// Into these registers.
    Load(Access, [u32; 4]),
    /// Of these registers.
    Store(Access, [u32; 4]),
    /// `atom` or `red`, with registers d, a, b; the result of `red` goes to a slot that nothing reads.
    Atomic(AtomicAccess, [u32; 3]),
    /// A fence between threads.
    Fence(MemoryFence),
    /// A fence that shows initialised mbarriers to copies.
    MbarrierFence,
    /// A fence between accesses of threads and of tensor copies to shared memory. It shows mbarriers too.
    ProxyFence,
    TensorCopy(Box<TensorCopy>),
    TensorStore(Box<TensorStore>),
    BulkCommit,
    BulkWait(BulkWait),
    AsyncCopy(Box<AsyncCopy>),
    AsyncCommit,
    /// Waits until at most this many of the newest groups are in flight.
    AsyncWait(u32),
    AsyncWaitAll,
}

/// Control flow.
#[derive(Debug)]
pub(crate) enum ControlOp {
    Branch(u32),
    /// By a table of the program, with a register for the index.
    BranchIndexed(u32, u32),
    Exit,
    Trap,
    /// `griddepcontrol.wait`: until the predecessor has ended, which it has.
    WaitForPredecessor,
    /// `griddepcontrol.launch_dependents`: the next grid may start.
    LaunchDependents,
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
