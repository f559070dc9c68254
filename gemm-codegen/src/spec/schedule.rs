//! [`Schedule`]: how the GPU does it, as written.

use std::num::NonZeroU16;

use super::{Accumulator, CopyAtom, Mma, Precision, Promotion};
use crate::axis::PerSide;
use crate::hardware::Target;
use crate::layout::Swizzle;
use crate::spec::{KOrder, Raster, Splits, Walk};

/// How the GPU does it. `None` asks for the derived default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// BLK_M, BLK_N, BLK_K: the part of the problem one block does at a time, in elements.
    pub tile: Option<[NonZeroU16; 3]>,
    /// Warps of a block along M, N and K. Those along K share each tile of a stage.
    pub warps: Option<[NonZeroU16; 3]>,
    /// Warpgroups of a block along M and N, for an atom of warpgroups.
    pub warpgroups: Option<[NonZeroU16; 2]>,
    /// How the blocks of warpgroups walk over several tiles; each has one if it is left out.
    pub walk: Option<Walk>,
    /// The order in which such blocks sum the k-tiles of a tile.
    pub k_order: Option<KOrder>,
    /// Blocks of a cluster along M and N, which copy once what several multiply; one if it is left out.
    pub cluster: Option<[NonZeroU16; 2]>,
    /// The MMA atom: the instruction a warp multiplies with.
    pub mma: Option<Mma>,
    /// How exactly f32 factors are multiplied: as they are if it is left out, as for all others.
    pub precision: Option<Precision>,
    /// What it sums in.
    pub acc: Option<Accumulator>,
    /// After how much of K these sums are promoted; if it is left out, after 128 where `wgmma` multiplies
    /// 8-bit floats, whose sums it truncates, and never elsewhere.
    pub promote: Option<Promotion>,
    /// The copy atom from global to shared memory.
    pub copy: PerSide<Option<CopyAtom>>,
    /// The swizzle of each operand's tile in shared memory.
    pub swizzle: PerSide<Option<Swizzle>>,
    /// Tiles of the ring in shared memory.
    pub stages: Option<NonZeroU16>,
    /// The order in which blocks walk the output.
    pub raster: Option<Raster>,
    /// Blocks that share the K of each tile of the output, or of the last ones; 1 if left out.
    pub split_k: Option<Splits>,
    /// Lets blocks run beside those of the predecessor in the stream and of the successor (programmatic dependent launch).
    /// The author promises that the predecessor does not write the factors named here: they are loaded before it has
    /// ended, everything else after. If it is left out, blocks start when those of the predecessor have ended.
    pub pdl: Option<Vec<String>>,
    /// The order of a sum depends on its K alone, in this schedule and in all that a launch may choose instead. The
    /// device, K and the columns of the output decide the order of a launch: a row keeps its bits whatever the other
    /// rows are.
    pub invariant: bool,
    /// The architectures on which it has to be legal.
    pub targets: Option<Vec<Target>>,
    /// What the author takes responsibility for.
    pub allow: Vec<Allow>,
}

impl Schedule {
    /// Whether a side names tensor copies.
    pub(crate) fn copies_tensors(&self) -> bool {
        [self.copy.a, self.copy.b].into_iter().flatten().any(CopyAtom::is_tma)
    }
}

/// A rule that its author may waive: the kernel stays right, it only gets slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allow {
    /// Accept shared-memory accesses that the banks serve in several passes.
    BankConflicts,
}

impl Allow {
    /// Everything that can be allowed.
    pub const ALL: [Allow; 1] = [Allow::BankConflicts];

    /// The name inside `allow(..)`.
    pub const fn name(self) -> &'static str {
        match self {
            Allow::BankConflicts => "bank_conflicts",
        }
    }
}
