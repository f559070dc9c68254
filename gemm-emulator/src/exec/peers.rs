//! [`Peers`]: what the blocks of a cluster share.

use super::cluster_barrier::ClusterBarrier;
use super::context::Context;
use crate::memory::Shared;
use crate::trace::Tracer;

/// What the blocks of a cluster share.
pub(crate) struct Peers {
    /// Of each block, but for that of the running one.
    pub(super) memories: Vec<Shared>,
    pub(super) barrier: ClusterBarrier,
    /// Whether all threads of a block have exited.
    pub(super) exited: Vec<bool>,
    /// Of a cluster that is traced.
    pub(super) trace: Option<Box<Tracer>>,
}

impl Peers {
    pub(super) fn new(context: &Context<'_>) -> Peers {
        let barrier = ClusterBarrier::new(context.team.blocks * context.warps());
        let exited = vec![false; context.team.blocks as usize];
        Peers { memories: Vec::new(), barrier, exited, trace: None }
    }
}
