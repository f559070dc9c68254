//! [`Way`]: how a tile gets to shared memory.

use gemm_codegen::CopyAtom;

use super::limits::Capability;

/// How a tile gets to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Through the registers of threads.
    Registers,
    /// Past them, by copies that threads start.
    Asynchronous,
    /// By a unit of the SM.
    Tensor,
}

impl Way {
    pub(super) fn of(atom: CopyAtom) -> Way {
        match atom {
            CopyAtom::LdGlobal { .. } => Way::Registers,
            CopyAtom::CpAsync { .. } => Way::Asynchronous,
            CopyAtom::Tma { .. } => Way::Tensor,
        }
    }

    /// The architecture that it came with.
    pub(super) fn first_target(self) -> Capability {
        match self {
            Way::Registers => (7, 5),
            Way::Asynchronous => (8, 0),
            Way::Tensor => (9, 0),
        }
    }
}
