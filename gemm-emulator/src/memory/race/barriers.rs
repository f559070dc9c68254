//! Order by barriers of some threads of the block.

use super::Races;
use crate::lanes::lanes_of;

impl Races {
    /// Lanes of a warp arrive at a barrier, and release what they did and knew.
    pub(crate) fn arrive_at_barrier(&mut self, barrier: u32, warp: u32, lanes: u32) {
        let time = self.tick();
        if let Some(clocks) = &mut self.line.clocks {
            lanes_of(lanes)
                .for_each(|lane| clocks.arrive_at_barrier(barrier, warp * 32 + lane as u32, time));
        }
    }

    /// The barrier is complete: the lanes of each warp that wait at it acquire what was released to it.
    pub(crate) fn leave_barrier(&mut self, barrier: u32, waiters: &[u32]) {
        let (rank, first) = (self.rank, self.first);
        let Some(clocks) = &mut self.line.clocks else { return };
        for (warp, lanes) in (0..).zip(waiters) {
            let threads = lanes_of(*lanes).map(|lane| first + warp * 32 + lane as u32);
            threads.for_each(|thread| clocks.acquire_barrier(barrier, thread));
        }
        clocks.end_barrier(rank, barrier);
    }
}
