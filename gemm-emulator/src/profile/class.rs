//! The instruction mix.

use std::fmt;

use crate::program::{Access, CollectiveOp, ControlOp, FloatOp, MemoryOp, Op};
use crate::ptx::Space;

/// Kinds of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Class {
    /// `mma`.
    Multiply,
    /// `ldmatrix`.
    LoadMatrix,
    /// `stmatrix`.
    StoreMatrix,
    /// `cp.async`.
    AsyncCopy,
    /// `cp.async.commit_group` and the waits.
    AsyncGroup,
    /// `cp.async.bulk.tensor`.
    TensorCopy,
    /// `mbarrier`.
    Mbarrier,
    /// `ld` from global or constant memory, or through a generic address.
    LoadGlobal,
    /// `st` to global memory or through a generic address.
    StoreGlobal,
    /// `ld` from shared memory.
    LoadShared,
    /// `st` to shared memory.
    StoreShared,
    /// `ld` and `st` of local memory and parameters.
    LocalAccess,
    /// `atom` and `red`.
    Atomic,
    /// Barriers of the block.
    Barrier,
    /// `shfl`, `vote` and the like, and barriers of a warp.
    Warp,
    /// Branches and exits.
    Branch,
    /// Arithmetic of floats.
    Float,
    /// `cvt`.
    Convert,
    /// `setp`, `set` and logic of predicates.
    Compare,
    /// Arithmetic of integers and addresses.
    Integer,
    /// Moves between registers, packing, selection.
    Move,
    /// What has no effect on what is computed: hints, fences.
    Other,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 22] = [
        Class::Multiply,
        Class::LoadMatrix,
        Class::StoreMatrix,
        Class::AsyncCopy,
        Class::AsyncGroup,
        Class::TensorCopy,
        Class::Mbarrier,
        Class::LoadGlobal,
        Class::StoreGlobal,
        Class::LoadShared,
        Class::StoreShared,
        Class::LocalAccess,
        Class::Atomic,
        Class::Barrier,
        Class::Warp,
        Class::Branch,
        Class::Float,
        Class::Convert,
        Class::Compare,
        Class::Integer,
        Class::Move,
        Class::Other,
    ];

    pub(crate) fn of(op: &Op) -> Class {
        match op {
            Op::Nop => Class::Other,
            Op::Move(crate::program::MoveOp::PredicateLogic { .. }) => Class::Compare,
            Op::Move(_) => Class::Move,
            Op::Integer(_) => Class::Integer,
            Op::Float(FloatOp::Compare(_)) => Class::Compare,
            Op::Float(FloatOp::Convert { .. } | FloatOp::ConvertPair { .. }) => Class::Convert,
            Op::Float(_) => Class::Float,
            Op::Memory(op) => of_memory(op),
            Op::Control(
                ControlOp::Trap | ControlOp::WaitForPredecessor | ControlOp::LaunchDependents,
            ) => Class::Other,
            Op::Control(_) => Class::Branch,
            Op::Collective(op) => of_collective(op),
            Op::Mbarrier(_) => Class::Mbarrier,
        }
    }
}

fn of_memory(op: &MemoryOp) -> Class {
    match op {
        MemoryOp::Load(access, _) => by_space(access, Class::LoadShared, Class::LoadGlobal),
        MemoryOp::Store(access, _) => by_space(access, Class::StoreShared, Class::StoreGlobal),
        MemoryOp::Atomic(..) => Class::Atomic,
        MemoryOp::Fence | MemoryOp::MbarrierFence | MemoryOp::ProxyFence => Class::Other,
        MemoryOp::TensorCopy(_) => Class::TensorCopy,
        MemoryOp::AsyncCopy(_) => Class::AsyncCopy,
        MemoryOp::AsyncCommit | MemoryOp::AsyncWait(_) | MemoryOp::AsyncWaitAll => {
            Class::AsyncGroup
        }
    }
}

fn by_space(access: &Access, shared: Class, global: Class) -> Class {
    match access.space {
        Space::Shared => shared,
        Space::Local | Space::Parameter => Class::LocalAccess,
        Space::Global | Space::Constant | Space::Generic => global,
    }
}

fn of_collective(op: &CollectiveOp) -> Class {
    match op {
        CollectiveOp::Barrier(_) => Class::Barrier,
        CollectiveOp::LoadMatrix(_) => Class::LoadMatrix,
        CollectiveOp::StoreMatrix(_) => Class::StoreMatrix,
        CollectiveOp::Multiply(_) => Class::Multiply,
        _ => Class::Warp,
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Class::Multiply => "mma",
            Class::LoadMatrix => "ldmatrix",
            Class::StoreMatrix => "stmatrix",
            Class::AsyncCopy => "cp.async",
            Class::AsyncGroup => "cp.async groups",
            Class::TensorCopy => "cp.async.bulk",
            Class::Mbarrier => "mbarrier",
            Class::LoadGlobal => "ld.global",
            Class::StoreGlobal => "st.global",
            Class::LoadShared => "ld.shared",
            Class::StoreShared => "st.shared",
            Class::LocalAccess => "ld, st of others",
            Class::Atomic => "atom, red",
            Class::Barrier => "barrier",
            Class::Warp => "warp",
            Class::Branch => "branch",
            Class::Float => "float",
            Class::Convert => "cvt",
            Class::Compare => "compare",
            Class::Integer => "integer",
            Class::Move => "move",
            Class::Other => "other",
        })
    }
}
