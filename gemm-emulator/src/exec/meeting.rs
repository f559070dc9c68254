//! The warps of a warpgroup that have come to an instruction which all of them execute together.

use super::warp::Warp;
use crate::lanes::WARPS;

/// The operands of an instruction, which must be the same in all warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Operands {
    /// Of A and B.
    pub(super) descriptors: [u64; 2],
    /// Whether the accumulators are added.
    pub(super) adds: bool,
}

/// An instruction that some warps of a warpgroup have come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(super) pc: u32,
    pub(super) operands: Operands,
    /// One bit for each warp of the warpgroup.
    pub(super) warps: u32,
}

impl Meeting {
    /// Whether all warps have come.
    pub(super) fn is_complete(&self) -> bool {
        self.warps == (1 << WARPS) - 1
    }
}

impl Warp {
    /// Number of its warpgroup.
    pub(super) fn warpgroup(&self) -> u32 {
        self.number / WARPS
    }
}
