//! Order by the barrier of a cluster and by fences: the part of [`Races`] that works on clocks.

use super::Races;
use crate::lanes::lanes_of;
use crate::program::MemoryFence;

impl Races {
    /// A thread has passed a fence between threads.
    pub(crate) fn fence_memory(&mut self, thread: u32, fence: MemoryFence) {
        if self.line.clocks.is_none() {
            return;
        }
        let time = self.tick();
        if let Some(clocks) = &mut self.line.clocks {
            clocks.fence_memory(thread, time, fence);
        }
    }

    /// A thread has passed a fence for the mbarriers that it has initialised.
    pub(crate) fn fence_initialized(&mut self, thread: u32) {
        if self.line.clocks.as_ref().is_none_or(|clocks| clocks.team().blocks == 1) {
            return;
        }
        let time = self.tick();
        if let Some(clocks) = &mut self.line.clocks {
            clocks.fence_initialized(thread, time);
        }
    }

    /// Lanes of a warp arrive at the barrier of the cluster.
    pub(crate) fn arrive_at_cluster(&mut self, warp: u32, lanes: u32, releases: bool) {
        let time = self.tick();
        if let Some(clocks) = &mut self.line.clocks {
            let threads = lanes_of(lanes).map(|lane| warp * 32 + lane as u32);
            threads.for_each(|thread| clocks.arrive_at_cluster(thread, time, releases));
        }
    }

    /// All threads of the cluster have arrived.
    pub(crate) fn complete_cluster(&mut self) {
        if let Some(clocks) = &mut self.line.clocks {
            clocks.complete_cluster();
        }
    }

    /// Lanes of a warp have waited for that.
    pub(crate) fn leave_cluster(&mut self, warp: u32, lanes: u32) {
        if let Some(clocks) = &mut self.line.clocks {
            let threads = lanes_of(lanes).map(|lane| warp * 32 + lane as u32);
            threads.for_each(|thread| clocks.leave_cluster(thread));
        }
    }

    /// Whether a thread knows anything that a thread of a block did; true if that is not kept.
    pub(crate) fn knows_of(&self, thread: u32, rank: u32) -> bool {
        self.line.clocks.as_ref().is_none_or(|clocks| clocks.knows_of(thread, rank))
    }

    /// Whether a thread of this block knows what a thread of another one did to its memory at `time`.
    pub(crate) fn knows_visit(&self, thread: u32, time: u32) -> bool {
        let clocks = self.line.clocks.as_ref();
        clocks.is_none_or(|clocks| clocks.block_knows(self.rank, clocks.away(thread), time))
    }

    /// The time of the next access.
    pub(crate) fn time(&self) -> u32 {
        self.line.time
    }
}
