//! The instruction mix.

use std::fmt;

use crate::program::{
    Access, ClusterOp, CollectiveOp, ControlOp, FloatOp, MemoryOp, MoveOp, Op, WarpgroupOp,
};
use crate::ptx::Space;

macro_rules! classes {
    ($($(#[$attribute:meta])* $name:ident => $text:literal,)+) => {
        /// Kinds of instructions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Class {
            $($(#[$attribute])* $name,)+
        }

        impl Class {
            /// Every class.
            pub const ALL: [Class; [$($text),+].len()] = [$(Class::$name),+];
        }

        impl fmt::Display for Class {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $(Class::$name => $text,)+
                })
            }
        }
    };
}

classes! {
    /// `mma`.
    Multiply => "mma",
    /// `wgmma.mma_async`.
    WarpgroupMultiply => "wgmma",
    /// `wgmma.fence`, `wgmma.commit_group` and the waits.
    WarpgroupGroup => "wgmma groups",
    /// `ldmatrix`.
    LoadMatrix => "ldmatrix",
    /// `stmatrix`.
    StoreMatrix => "stmatrix",
    /// `cp.async`.
    AsyncCopy => "cp.async",
    /// `cp.async.commit_group` and the waits, also those of `cp.async.bulk`.
    AsyncGroup => "cp.async groups",
    /// `cp.async.bulk.tensor` to shared memory.
    TensorCopy => "cp.async.bulk",
    /// `cp.async.bulk.tensor` to global memory.
    TensorStore => "bulk stores",
    /// `mbarrier`.
    Mbarrier => "mbarrier",
    /// `ld` from global or constant memory, or through a generic address.
    LoadGlobal => "ld.global",
    /// `st` to global memory or through a generic address.
    StoreGlobal => "st.global",
    /// `ld` from shared memory.
    LoadShared => "ld.shared",
    /// `st` to shared memory.
    StoreShared => "st.shared",
    /// `ld` and `st` of local memory and parameters.
    LocalAccess => "ld, st of others",
    /// `atom` and `red`.
    Atomic => "atom, red",
    /// Barriers of the block.
    Barrier => "barrier",
    /// `shfl`, `vote` and the like, and barriers of a warp.
    Warp => "warp",
    /// Branches and exits.
    Branch => "branch",
    /// Arithmetic of floats.
    Float => "float",
    /// `cvt`.
    Convert => "cvt",
    /// `setp`, `set` and logic of predicates.
    Compare => "compare",
    /// Arithmetic of integers and addresses.
    Integer => "integer",
    /// Moves between registers, packing, selection.
    Move => "move",
    /// Instructions without effect on results: hints, fences.
    Other => "other",
}

impl Class {
    pub(crate) fn of(op: &Op) -> Class {
        match op {
            Op::Nop => Class::Other,
            Op::Move(MoveOp::PredicateLogic { .. }) => Class::Compare,
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
            Op::Cluster(ClusterOp::Arrive { .. } | ClusterOp::Wait { .. }) => Class::Barrier,
            Op::Cluster(_) => Class::Move,
            Op::Warpgroup(WarpgroupOp::Multiply(_)) => Class::WarpgroupMultiply,
            Op::Warpgroup(WarpgroupOp::SetRegisters(_)) => Class::Other,
            Op::Warpgroup(_) => Class::WarpgroupGroup,
        }
    }
}

fn of_memory(op: &MemoryOp) -> Class {
    match op {
        MemoryOp::Load(access, _) => by_space(access, Class::LoadShared, Class::LoadGlobal),
        MemoryOp::Store(access, _) => by_space(access, Class::StoreShared, Class::StoreGlobal),
        MemoryOp::Atomic(..) => Class::Atomic,
        MemoryOp::Fence(_) | MemoryOp::MbarrierFence | MemoryOp::ProxyFence => Class::Other,
        MemoryOp::TensorCopy(_) => Class::TensorCopy,
        MemoryOp::AsyncCopy(_) => Class::AsyncCopy,
        MemoryOp::TensorStore(_) => Class::TensorStore,
        MemoryOp::BulkCommit | MemoryOp::BulkWait(_) => Class::AsyncGroup,
        MemoryOp::AsyncCommit | MemoryOp::AsyncWait(_) | MemoryOp::AsyncWaitAll => {
            Class::AsyncGroup
        }
    }
}

fn by_space(access: &Access, shared: Class, global: Class) -> Class {
    match access.space {
        Space::Shared | Space::Cluster => shared,
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
