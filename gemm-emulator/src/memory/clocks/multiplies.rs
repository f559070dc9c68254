//! What threads know of the multiplications by `wgmma`.

use super::{Clocks, comes_after, set};
use crate::memory::shared::MultiplyId;

impl Clocks {
    /// A multiplication reads from `time` on.
    pub(in crate::memory) fn multiply(&mut self, id: MultiplyId, time: u32) {
        let MultiplyId { warpgroup, number } = id;
        set(&mut self.multiplies[warpgroup as usize], number as usize, time);
    }

    /// A thread has waited for the multiplications of its warpgroup up to this one.
    pub(in crate::memory) fn finish_multiplies(&mut self, last: MultiplyId, thread: u32) {
        let MultiplyId { warpgroup, number } = last;
        let times = &self.multiplies[warpgroup as usize];
        // It precedes what the thread does now, and no later one.
        let Some(time) = times.get(number as usize) else { return };
        let at = self.threads + warpgroup as usize;
        set(&mut self.known[thread as usize].happened, at, time + 1);
    }

    /// Whether a thread knows that multiplications of a warpgroup that began at `time` have ended.
    pub(in crate::memory) fn knows_multiplies(
        &self,
        thread: u32,
        warpgroup: u32,
        time: u32,
    ) -> bool {
        let at = self.threads + warpgroup as usize;
        comes_after(&self.known[thread as usize].happened, at, time)
    }
}
