//! What the other blocks of a cluster do to the shared memory of a block.

use super::{Access, Shared};
use crate::memory::mbarrier::{MbarrierArrival, Visit};
use crate::memory::race::{Race, Timeline};
use crate::program::MemoryFence;

/// What another block has done, with nothing that orders it before the end of this one.
pub(crate) enum Left {
    Access(Race),
    /// At the mbarrier at an address, by a thread.
    Arrival(u32, u32),
}

impl Shared {
    /// Exchanges the time that a cluster has.
    pub(crate) fn swap_timeline(&mut self, other: &mut Timeline) {
        if let Some(races) = &mut self.races {
            races.swap_timeline(other);
        }
    }

    /// Lends time and clocks to the memory of another block, for what `f` does there.
    pub(crate) fn lend<R>(&mut self, other: &mut Shared, f: impl FnOnce(&mut Shared) -> R) -> R {
        let mut line = Timeline::default();
        self.swap_timeline(&mut line);
        other.swap_timeline(&mut line);
        let result = f(other);
        other.swap_timeline(&mut line);
        self.swap_timeline(&mut line);
        result
    }

    /// As [`Shared::arrive`], of a thread of another block.
    pub(crate) fn arrive_from_away(
        &mut self,
        address: u64,
        arrival: MbarrierArrival,
        thread: u32,
    ) -> Access {
        let phase = self.arrive(address, arrival, thread)?;
        let time = self.races.as_ref().map_or(0, |races| races.time());
        if let Some(barrier) = self.mbarriers.get_mut(&(address as u32)) {
            barrier.visits.retain(|visit| visit.thread != thread);
            barrier.visits.push(Visit { thread, phase, time });
        }
        Ok(())
    }

    /// At the end of the block: what another one did that may come later.
    pub(crate) fn left_by_others(&self) -> Option<Left> {
        let races = self.races.as_ref()?;
        if let Some(race) = races.left_away() {
            return Some(Left::Access(race));
        }
        let visits = self.mbarriers.iter().flat_map(|(address, barrier)| {
            barrier.visits.iter().map(move |visit| (*address, *visit))
        });
        let mut unknown = visits.filter(|(_, visit)| !races.knows_visit(visit.thread, visit.time));
        unknown.next().map(|(address, visit)| Left::Arrival(address, visit.thread))
    }

    /// Whether a thread knows anything that a thread of a block did.
    pub(crate) fn knows_of(&self, thread: u32, rank: u32) -> bool {
        self.races.as_ref().is_none_or(|races| races.knows_of(thread, rank))
    }

    /// A thread has passed a fence between threads.
    pub(crate) fn fence_memory(&mut self, thread: u32, fence: MemoryFence) {
        if let Some(races) = &mut self.races {
            races.fence_memory(thread, fence);
        }
    }

    /// Lanes of a warp arrive at the barrier of the cluster.
    pub(crate) fn arrive_at_cluster(&mut self, warp: u32, lanes: u32, releases: bool) {
        if let Some(races) = &mut self.races {
            races.arrive_at_cluster(warp, lanes, releases);
        }
    }

    /// All threads of the cluster have arrived.
    pub(crate) fn complete_cluster(&mut self) {
        if let Some(races) = &mut self.races {
            races.complete_cluster();
        }
    }

    /// Lanes of a warp have waited for that.
    pub(crate) fn leave_cluster(&mut self, warp: u32, lanes: u32) {
        if let Some(races) = &mut self.races {
            races.leave_cluster(warp, lanes);
        }
    }
}
