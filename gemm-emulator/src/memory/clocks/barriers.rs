//! Barriers of some threads of a block.

use super::{Clocks, Known};

/// The most barriers of a block.
const BARRIERS: usize = 16;

impl Clocks {
    fn barrier_at(&self, rank: u32, barrier: u32) -> usize {
        rank as usize * BARRIERS + barrier as usize
    }

    /// Orders what a thread did before `time`, and knew, before the end of the barrier.
    pub(in crate::memory) fn arrive_at_barrier(&mut self, barrier: u32, thread: u32, time: u32) {
        self.mark(thread, time);
        let at = self.barrier_at(self.team.rank(thread), barrier);
        if self.barriers.len() <= at {
            self.barriers.resize_with(at + 1, Known::default);
        }
        self.barriers[at].join(&self.known[thread as usize]);
    }

    /// A thread has waited at the barrier.
    pub(in crate::memory) fn acquire_barrier(&mut self, barrier: u32, thread: u32) {
        let at = self.barrier_at(self.team.rank(thread), barrier);
        self.known[thread as usize].join(&self.barriers[at]);
    }

    /// The barrier of a block is complete, and the next arrivals begin it again.
    pub(in crate::memory) fn end_barrier(&mut self, rank: u32, barrier: u32) {
        let at = self.barrier_at(rank, barrier);
        self.barriers[at].clear();
    }
}
