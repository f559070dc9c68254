//! How instructions order what threads do: scopes, fences, the cluster.

use super::parts::Address;

/// Whom an order reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The threads of the block.
    Block,
    /// Those of the cluster, or more.
    Cluster,
}

/// The order of an arrival or a wait at an mbarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ordering {
    /// Whether it releases or acquires by itself. If not, only a fence before an arrival or after a wait does.
    pub(crate) orders: bool,
    pub(crate) scope: Scope,
}

/// A fence between threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryFence {
    pub(crate) scope: Scope,
    /// Whether it reaches all threads of the device.
    pub(crate) device: bool,
    pub(crate) releases: bool,
    pub(crate) acquires: bool,
    /// `.sync_restrict`: it releases accesses to the shared memory of the own block only, or acquires those to the
    /// shared memory of the cluster only, which are all that clocks have.
    pub(crate) restricted: bool,
}

/// Instructions that only a cluster needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClusterOp {
    /// `barrier.cluster.arrive`
    Arrive { releases: bool, aligned: bool },
    /// `barrier.cluster.wait`
    Wait { aligned: bool },
    /// `mapa`: the address in another block of what lies at an address of this one.
    Map { long: bool, generic: bool, d: u32, a: Address, rank: u32 },
    /// `getctarank`: the rank of the block that an address belongs to.
    Rank { generic: bool, d: u32, a: Address },
}
