//! [`Way`]: how a tile gets to shared memory.

use gemm_codegen::{CopyAtom, Target};

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
            CopyAtom::Tma => Way::Tensor,
        }
    }

    /// The architecture that it came with.
    pub(super) fn first_target(self) -> Target {
        match self {
            Way::Registers => Target::Sm75,
            Way::Asynchronous => Target::Sm80,
            Way::Tensor => Target::Sm90,
        }
    }
}
