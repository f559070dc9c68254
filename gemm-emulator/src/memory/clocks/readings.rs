//! What threads know of the asynchronous operations that read shared memory.

use super::{Clocks, comes_after, set};
use crate::memory::reader::ReadingId;

impl Clocks {
    /// An operation reads from `time` on.
    pub(in crate::memory) fn start_reading(&mut self, id: ReadingId, time: u32) {
        set(&mut self.readings[id.reader.0 as usize], id.number as usize, time);
    }

    /// A thread has waited for the operations of a reader up to this one.
    pub(in crate::memory) fn finish_readings(&mut self, last: ReadingId, thread: u32) {
        let times = &self.readings[last.reader.0 as usize];
        // It precedes what the thread does now, and no later one.
        let Some(time) = times.get(last.number as usize) else { return };
        let at = self.threads + last.reader.0 as usize;
        set(&mut self.known[thread as usize].happened, at, time + 1);
    }

    /// Whether a thread knows that the operations of a reader that began at `time` have ended.
    pub(in crate::memory) fn knows_reading(&self, thread: u32, reader: u32, time: u32) -> bool {
        let at = self.threads + reader as usize;
        comes_after(&self.known[thread as usize].happened, at, time)
    }
}
