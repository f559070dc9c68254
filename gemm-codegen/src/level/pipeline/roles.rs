//! The roles of the threads of a block of warpgroups.

use crate::hardware::WARP;
use crate::level::mma;
use crate::level::scheduler::Cluster;
use crate::spec::{KOrder, Walk};

/// Threads of a warpgroup.
pub(super) const GROUP: u32 = mma::wgmma::WARPS * WARP;

/// Who does what in a block: the consumers are its first warpgroups, the producer is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// Warpgroups that multiply and store.
    pub consumers: u32,
    /// Registers of a thread of the producer and of a consumer, where `setmaxnreg` moves some from one to
    /// the other; a block of two warpgroups has enough for both.
    pub registers: Option<[u32; 2]>,
    /// How a block walks over several tiles, if it does.
    pub walk: Option<Walk>,
    /// In which order the producer of such a block brings the k-tiles of a tile.
    pub k_order: KOrder,
    /// The blocks that fill a stage together, if they do.
    pub cluster: Option<Cluster>,
}

impl Roles {
    /// Those of a block of one tile, in no cluster, with one to three consumers; more are an error
    /// elsewhere.
    pub(crate) fn of(consumers: u32) -> Roles {
        let registers = match consumers {
            0 | 1 => None,
            2 => Some([24, 240]),
            _ => Some([32, 160]),
        };
        Roles { consumers, registers, walk: None, k_order: KOrder::Ascending, cluster: None }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        (self.consumers + 1) * GROUP
    }
}
