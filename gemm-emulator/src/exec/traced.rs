//! What the instructions of a block tell its [`Tracer`].

use super::block::Block;
use super::descriptor::CHUNK;
use super::step::{Common, Step};
use super::warp::Warp;
use crate::fault::Direction;
use crate::lanes::{Lanes, WARPS, lanes_of};
use crate::memory::Phase;
use crate::profile::{wavefronts, wavefronts_of_rows};
use crate::trace::{AccessKind, AccessPart, Agent, SharedRange, Tracer, WarpId};

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

    /// The active lanes access `bytes` bytes of shared memory each.
    #[inline]
    pub(super) fn trace_access(
        &mut self,
        direction: Direction,
        addresses: &Lanes<u64>,
        bytes: u32,
    ) {
        let (active, pc) = (self.active, self.pc);
        self.trace(|tracer, agent| {
            let lanes = lanes_of(active).map(|lane| addresses[lane]);
            let Some(range) = SharedRange::around(lanes, bytes) else { return };
            tracer.access(agent, direction == Direction::Write, range);
            tracer.accesses(agent.id, pc, kind(direction), || {
                let wavefronts = wavefronts(addresses, active, bytes, direction);
                let part =
                    |lane| AccessPart::shared(lane, addresses[lane], bytes, wavefronts[lane]);
                lanes_of(active).map(part).collect()
            });
        });
    }

    /// The warp moves matrices whose rows of 16 bytes begin at these addresses.
    pub(super) fn trace_matrices(&mut self, direction: Direction, rows: &[u64]) {
        let pc = self.pc;
        self.trace(|tracer, agent| {
            let Some(range) = SharedRange::around(rows.iter().copied(), 16) else { return };
            tracer.access(agent, direction == Direction::Write, range);
            tracer.accesses(agent.id, pc, kind(direction), || {
                let wavefronts = wavefronts_of_rows(rows);
                let part = |lane| AccessPart::shared(lane, rows[lane], 16, wavefronts[lane]);
                (0..rows.len()).map(part).collect()
            });
        });
    }

    /// The active lanes load `bytes` bytes of global memory each.
    pub(super) fn trace_global(&mut self, addresses: &Lanes<u64>, bytes: u32) {
        let (active, pc) = (self.active, self.pc);
        if let Some(tracer) = &mut self.common.peers.trace {
            let id = WarpId { block: self.common.rank, warp: self.warp.number };
            tracer.accesses(id, pc, AccessKind::LoadGlobal, || {
                let part = |lane| AccessPart::global(lane, addresses[lane], bytes);
                lanes_of(active).map(part).collect()
            });
        }
    }

    /// The active lanes copy `bytes` bytes each by `cp.async`; a lane that reads nothing writes zeros.
    pub(super) fn trace_copies(
        &mut self,
        [to, from]: [&Lanes<u64>; 2],
        bytes: u32,
        reads: impl Fn(usize) -> bool,
    ) {
        let (active, pc) = (self.active, self.pc);
        self.trace(|tracer, agent| {
            let lanes = lanes_of(active).map(|lane| to[lane]);
            let Some(range) = SharedRange::around(lanes, bytes) else { return };
            tracer.copy_async(agent, range, bytes * active.count_ones());
            tracer.accesses(agent.id, pc, AccessKind::Copy, || {
                let wavefronts = wavefronts(to, active, bytes, Direction::Write);
                let part = |lane: usize| AccessPart {
                    global: reads(lane).then_some(from[lane]),
                    ..AccessPart::shared(lane, to[lane], bytes, wavefronts[lane])
                };
                lanes_of(active).map(part).collect()
            });
        });
    }

    /// A lane has started a bulk or tensor copy.
    pub(super) fn trace_parts(&mut self, parts: impl FnOnce() -> Vec<AccessPart>) {
        let id = WarpId { block: self.common.rank, warp: self.warp.number };
        if let Some(tracer) = &mut self.common.peers.trace {
            tracer.accesses(id, self.pc, AccessKind::Copy, parts);
        }
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

    /// They multiply chunks of A and B by the instruction `pc`.
    pub(super) fn trace_multiply(
        &mut self,
        (warpgroup, pc): (u32, u32),
        of: [&[u32]; 2],
        columns: usize,
    ) {
        let warps = self.traced_warps(warpgroup);
        if let Some(tracer) = &mut self.common.peers.trace {
            let id = WarpId { block: self.common.rank, warp: WARPS * warpgroup };
            tracer.accesses(id, pc, AccessKind::Multiply, || {
                let chunks = of.into_iter().flatten();
                chunks.map(|at| AccessPart::moved(0, *at, None, CHUNK as u32)).collect()
            });
            let range = |chunks: &[u32]| {
                SharedRange::around(chunks.iter().map(|at| u64::from(*at)), CHUNK as u32)
            };
            tracer.multiply(&warps, of.into_iter().filter_map(range).collect(), columns);
        }
    }
}

/// A load or a store.
fn kind(direction: Direction) -> AccessKind {
    match direction {
        Direction::Read => AccessKind::Load,
        Direction::Write => AccessKind::Store,
    }
}
