//! What the instructions of a block tell its [`Tracer`].

use super::block::Block;
use super::descriptor::CHUNK;
use super::step::{Common, Step};
use super::warp::Warp;
use crate::lanes::{WARPS, lanes_of};
use crate::memory::Phase;
use crate::trace::{Agent, SharedRange, Tracer, WarpId};

impl Common {
    /// A warp of the block.
    pub(super) fn agent(&self, warp: &Warp) -> Agent {
        Agent { id: WarpId { block: self.rank, warp: warp.number }, executed: warp.executed }
    }

    /// Tells what has changed in shared memory, and `f` then.
    #[cold]
    pub(super) fn tell(&mut self, agent: Agent, f: impl FnOnce(&mut Tracer)) {
        let Some(tracer) = &mut self.peers.trace else { return };
        tracer.changed(agent, self.rank, self.shared.take_changes());
        for (rank, memory) in (0..).zip(&mut self.peers.memories) {
            tracer.changed(agent, rank, memory.take_changes());
        }
        f(tracer);
    }
}

impl Step<'_> {
    /// Calls `f` if the block is traced.
    #[inline]
    pub(super) fn trace(&mut self, f: impl FnOnce(&mut Tracer, Agent)) {
        if self.common.peers.trace.is_some() {
            let agent = self.common.agent(self.warp);
            self.common.tell(agent, |tracer| f(tracer, agent));
        }
    }

    /// The active lanes access `bytes` bytes each.
    #[inline]
    pub(super) fn trace_access(&mut self, writes: bool, addresses: &[u64], bytes: u32) {
        let active = self.active;
        self.trace(|tracer, agent| {
            let lanes = lanes_of(active).filter_map(|lane| addresses.get(lane));
            if let Some(range) = SharedRange::around(lanes.copied(), bytes) {
                tracer.access(agent, writes, range);
            }
        });
    }

    /// A copy to the block of a rank was requested. What has landed since is told afterwards.
    pub(super) fn trace_copy(&mut self, rank: u32, to: SharedRange, barrier: u32) {
        let agent = self.common.agent(self.warp);
        if let Some(tracer) = &mut self.common.peers.trace {
            tracer.copy(agent, rank, to, barrier);
            self.common.tell(agent, |_| {});
        }
    }

    /// The first of the active lanes tries to wait for a phase.
    pub(super) fn trace_phase(&mut self, barrier: u64, phase: Phase, passed: u32) {
        let active = self.active;
        let parity = match phase {
            Phase::Parity(parity) => parity,
            Phase::Number(number) => (number & 1) as u32,
        };
        self.trace(|tracer, agent| {
            tracer.phase(agent, [barrier as u32, parity], passed == active);
        });
    }
}

impl Block<'_> {
    /// The warps of a warpgroup, if the block is traced.
    fn traced_warps(&self, warpgroup: u32) -> Vec<Agent> {
        let of = self.warps.iter().skip((WARPS * warpgroup) as usize).take(WARPS as usize);
        let is_traced = self.common.peers.trace.is_some();
        of.filter(|_| is_traced).map(|warp| self.common.agent(warp)).collect()
    }

    /// They have met at an instruction.
    pub(super) fn trace_meeting(&mut self, warpgroup: u32) {
        let warps = self.traced_warps(warpgroup);
        if let Some(tracer) = &mut self.common.peers.trace {
            tracer.meet(&warps);
        }
    }

    /// They multiply chunks of A and B.
    pub(super) fn trace_multiply(&mut self, warpgroup: u32, of: [&[u32]; 2], columns: usize) {
        let warps = self.traced_warps(warpgroup);
        if let Some(tracer) = &mut self.common.peers.trace {
            let range = |chunks: &[u32]| {
                SharedRange::around(chunks.iter().map(|at| u64::from(*at)), CHUNK as u32)
            };
            tracer.multiply(&warps, of.into_iter().filter_map(range).collect(), columns);
        }
    }
}
