//! Barriers of some threads of the block.

use super::{Clocks, Known, set};

impl Clocks {
    /// Orders what a thread did before `time`, and knew, before the end of the barrier.
    pub(in crate::memory) fn arrive_at_barrier(&mut self, barrier: u32, thread: u32, time: u32) {
        let (barrier, known) = (barrier as usize, &mut self.known[thread as usize]);
        set(&mut known.happened, thread as usize, time);
        if self.barriers.len() <= barrier {
            self.barriers.resize_with(barrier + 1, Known::default);
        }
        self.barriers[barrier].join(known);
    }

    /// A thread has waited at the barrier.
    pub(in crate::memory) fn acquire_barrier(&mut self, barrier: u32, thread: u32) {
        self.known[thread as usize].join(&self.barriers[barrier as usize]);
    }

    /// The barrier is complete, and the next arrivals begin it again.
    pub(in crate::memory) fn end_barrier(&mut self, barrier: u32) {
        self.barriers[barrier as usize].clear();
    }
}
