//! What threads know of the asynchronous operations that read shared memory.

use super::{Clocks, set};
use crate::memory::reader::{READERS, ReadingId};

impl Clocks {
    /// An operation of a block reads from `time` on.
    pub(in crate::memory) fn start_reading(&mut self, rank: u32, id: ReadingId, time: u32) {
        let reader = rank as usize * READERS + id.reader.0 as usize;
        set(&mut self.readings[reader], id.number as usize, time);
    }

    /// A thread has waited for the operations of a reader of its block up to this one.
    pub(in crate::memory) fn finish_readings(&mut self, last: ReadingId, thread: u32) {
        let rank = self.team.rank(thread);
        let times = &self.readings[rank as usize * READERS + last.reader.0 as usize];
        // It precedes what the thread does now, and no later one.
        let Some(time) = times.get(last.number as usize).copied() else { return };
        let at = self.readers_at(rank) + last.reader.0 as usize;
        set(&mut self.known[thread as usize].happened, at, time + 1);
    }

    /// Whether a thread knows that the operations of a reader of a block that began at `time` have ended.
    pub(in crate::memory) fn knows_reading(
        &self,
        thread: u32,
        (rank, reader): (u32, u32),
        time: u32,
    ) -> bool {
        self.knows(thread, self.readers_at(rank) + reader as usize, time)
    }
}
