//! What is known of the keys of a schedule while a plan is proved.

use crate::level::pdl::Pdl;
use crate::level::scheduler::{self, Cluster, ClusterSplitK, Persistent, Scheduler};
use crate::level::warps::Warps;
use crate::registers::Registers;
use crate::spec::{KOrder, Mma, Splits, Walk};

/// The evidence for keys that need no others.
pub(super) struct Keys {
    pub(super) pdl: Option<Pdl>,
    pub(super) atom: Option<Mma>,
    pub(super) warps: Option<Warps>,
    pub(super) splits: Option<Splits>,
}

/// The evidence for keys that only blocks of warpgroups have.
pub(super) struct GroupKeys {
    pub(super) cluster: Option<Option<Cluster>>,
    pub(super) k_order: Option<KOrder>,
    pub(super) split_k: Option<Option<ClusterSplitK>>,
    pub(super) walk: Option<Option<Walk>>,
}

impl GroupKeys {
    /// Which tiles a block computes, and which part of their K. One that walks shares no tile.
    pub(super) fn scheduler(
        &self,
        splits: Splits,
        warps: &Warps,
        registers: &Registers,
    ) -> Option<Scheduler> {
        let (cluster, k_order, split_k) = (self.cluster?, self.k_order?, self.split_k?);
        Some(match self.walk? {
            Some(walk) => Scheduler::Persistent(Persistent { walk, k_order, cluster }),
            None => scheduler::plan((splits, split_k), cluster, warps, registers),
        })
    }
}
